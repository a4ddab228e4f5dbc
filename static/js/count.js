// A textarea with data-counted and maxlength says below itself how many characters are used.
(() => {
  const output = (area) => {
    const found = area.parentElement.querySelector(".field__count");
    if (found) return found;
    const made = document.createElement("output");
    made.className = "field__count";
    made.htmlFor = area.id;
    area.after(made);
    return made;
  };

  const count = (area) => {
    const used = [...area.value].length.toLocaleString(document.documentElement.lang);
    const most = Number(area.maxLength).toLocaleString(document.documentElement.lang);
    output(area).textContent = `${used} / ${most}`;
  };

  const countAll = () => document.querySelectorAll("textarea[data-counted]").forEach(count);

  document.addEventListener("input", ({ target }) => {
    if (target.matches("textarea[data-counted]")) count(target);
  });
  document.addEventListener("htmx:load", countAll);
  countAll();
})();
