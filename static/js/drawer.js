// A link with data-drawer and hx-target="#drawer-body" opens its page in the drawer: beside the
// board on a wide screen, over it on a narrow one. Esc gives the focus back to the link.
{
  const isWide = matchMedia("(min-width: 1280px)");
  let opener;

  const drawer = () => document.getElementById("drawer");

  addEventListener("htmx:beforeRequest", (event) => {
    const link = event.target.closest?.("[data-drawer]");
    if (!link) return;
    opener = link;
    if (drawer().open) return;
    drawer()[isWide.matches ? "show" : "showModal"]();
  });

  addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "drawer-body") return;
    const heading = event.target.querySelector("h1, h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  });

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector(":popover-open")) drawer()?.close();
  });

  document.addEventListener("close", (event) => {
    if (event.target.id !== "drawer") return;
    document.getElementById("drawer-body").replaceChildren();
    opener?.focus();
  }, true);
}
