// …#print: the page opens the printer once; and so does a button with data-print.
{
  const open = () => {
    if (location.hash !== "#print") return;
    history.replaceState(history.state, "", location.pathname + location.search);
    print();
  };

  addEventListener("click", ({ target }) => { if (target.closest("[data-print]")) print(); });
  addEventListener("hashchange", open);
  open();
}
