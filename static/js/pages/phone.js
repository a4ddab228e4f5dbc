// data-region="FR": the country of a number, by its name in the language of the page.
{
  const name = () => {
    const names = new Intl.DisplayNames([document.documentElement.lang], { type: "region" });
    for (const region of document.querySelectorAll("[data-region]")) {
      region.textContent = `· ${names.of(region.dataset.region)}`;
      region.removeAttribute("data-region");
    }
  };

  name();
  document.addEventListener("htmx:afterSwap", name);
}
