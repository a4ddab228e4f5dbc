// After a refused form the summary of its errors takes the focus: the page says what to do next.
{
  const focus = (root) => root.querySelector?.("[data-errors]")?.focus();

  focus(document);
  addEventListener("htmx:afterSettle", (event) => focus(event.target));
}
