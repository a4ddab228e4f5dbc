"""The web app that people install on a tablet or a phone: its manifest and its service worker."""
