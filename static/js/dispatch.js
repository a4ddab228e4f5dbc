// An event on the document, by which one script reaches the others.
self.dispatch = (name, detail, target = document) => target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
