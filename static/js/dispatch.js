// An event on the document, by which one script reaches the others.
self.dispatch = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
