"""The parts of the service worker: scripts of `static/js/worker`, which apps add.

A browser has one service worker for a site, so that every app that needs one adds its part here.
Each part listens to its own events.
"""

from lib.registration import ExtensionPoint

WORKER_PARTS: ExtensionPoint[str] = ExtensionPoint("Parts of the service worker")
OWN_PARTS = ("upgrade",)
