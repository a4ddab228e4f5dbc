"""The parts of the service worker: scripts of `static/js/worker`, which apps add.

A browser has one service worker for a site, so that every app that needs one adds its part here.
Each part listens to its own events.
"""

from lib.registration import ExtensionPoint

WORKER_PARTS: ExtensionPoint[str] = ExtensionPoint("Parts of the service worker")
# In this order: each uses those before it.
OWN_PARTS = ("upgrade", "offline-store", "offline-leave", "offline-pages", "offline-fetch")
