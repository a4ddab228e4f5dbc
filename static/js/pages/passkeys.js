// A passkey that could not be made or used says so on the page, not only in the console. Browsers
// tie passkeys to a name: under a bare IP address they refuse, and the remedy is another address.
{
  const IP_ADDRESS = /^[\d.]+$|^\[/;

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const words = IP_ADDRESS.test(location.hostname) ? "passkey-unnamed" : "passkey-refused";
    const message = document.getElementById(words).content.cloneNode(true);
    document.getElementById("passkey-says").replaceChildren(message);
  });
}
