// data-preference="theme" with its value: applied at once, while the form keeps it on the server.
{
  const press = (button, isOn) => { button.ariaPressed = isOn; };

  // After the form has been read, a toggle turns round for its next press.
  const turn = (button) => {
    const { value, other } = button.dataset;
    press(button, button.ariaPressed !== "true");
    button.value = button.value !== "true";
    Object.assign(button.dataset, { value: other, other: value });
  };

  addEventListener("htmx:configRequest", (event) => {
    const button = event.detail.triggeringEvent?.submitter;
    const { preference, value, other } = button?.dataset ?? {};
    if (!preference) return;
    document.documentElement.dataset[preference] = value ?? button.value;
    if (other) return turn(button);
    for (const sibling of button.parentElement.children) press(sibling, sibling === button);
  });
}
