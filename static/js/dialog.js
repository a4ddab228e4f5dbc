// data-dialog="id" opens a <dialog>; data-close and a click beside it close it.
// A server answer closes the dialog it came from with the event `close-dialog` (HX-Trigger).
{
  let isBeside;

  addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) {
      event.preventDefault();
      return document.getElementById(opener.dataset.dialog).showModal();
    }
    if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
    // A click on the backdrop has the dialog itself as its target.
    if (event.target.matches("dialog") && isBeside) event.target.close();
  });

  // Where it began: whoever marks text may end beside the dialog.
  addEventListener("pointerdown", ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = target.getBoundingClientRect();
    isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
  });

  addEventListener("close-dialog", (event) => event.target.closest("dialog")?.close());
}
