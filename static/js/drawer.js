// A link with data-drawer and hx-target="#drawer-body" opens its page in the drawer: beside the
// board on a wide screen, over it on a narrow one. Esc gives the focus back to the link, or to what a
// refresh has put in its place.
{
  let opener;

  const drawer = () => document.getElementById("drawer");

  addEventListener("htmx:beforeRequest", ({ target }) => {
    const link = target.closest?.("[data-drawer]");
    if (!link) return;
    opener = link;
    if (!drawer().open) drawer()[matchMedia("(min-width: 1280px)").matches ? "show" : "showModal"]();
  });

  addEventListener("htmx:afterSwap", ({ target }) => {
    if (target.id !== "drawer-body") return;
    const heading = target.querySelector("h1, h2");
    if (heading) heading.tabIndex = -1;
    heading?.focus();
  });

  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && !document.querySelector(":popover-open, dialog:modal")) drawer()?.close();
  });

  addEventListener("close", ({ target }) => {
    if (target.id !== "drawer") return;
    document.getElementById("drawer-body").replaceChildren();
    (document.getElementById(opener?.id) ?? opener)?.focus();
  }, true);
}
