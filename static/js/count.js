// A textarea with data-counted and maxlength says below itself how many characters are used.
(() => {
  const output = (area) => {
    const made = Object.assign(document.createElement("output"), { className: "field__count" });
    made.htmlFor = area.id;
    area.after(made);
    return made;
  };

  const count = (area) => {
    const figures = [[...area.value].length, area.maxLength];
    const [used, most] = figures.map((n) => n.toLocaleString(document.documentElement.lang));
    const found = area.parentElement.querySelector(".field__count") ?? output(area);
    found.textContent = `${used} / ${most}`;
  };

  const countAll = () => document.querySelectorAll("textarea[data-counted]").forEach(count);

  for (const changed of ["input", "htmx:load"]) addEventListener(changed, countAll);
  countAll();
})();
