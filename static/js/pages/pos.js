// The logo before it is sent: ticks, previews, and a smaller picture made here. The server checks
// again from the bytes; without this script the form works all the same.
{
  const MOST_BYTES = 100 * 1024;
  const FITS = 100_000; // what any reading of "100 KB" allows
  const LEAST_WIDTH = 300;
  const MOST_SIDE = 2000;
  const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  const ACTL = 0x6163544c;

  const form = () => document.querySelector("[data-logo-form]");
  const input = () => form().querySelector("[type=file]");
  const part = (selector) => form().querySelector(selector);

  // The size of a PNG from its header, and whether it moves; nothing for any other file.
  const measure = (bytes) => {
    const view = new DataView(bytes.buffer);
    if (bytes.length < 33 || SIGNATURE.some((byte, place) => bytes[place] !== byte)) return null;
    let isAnimated = false;
    for (let at = 8; at + 12 <= bytes.length; at += view.getUint32(at) + 12) {
      isAnimated ||= view.getUint32(at + 4) === ACTL;
    }
    return { width: view.getUint32(16), height: view.getUint32(20), isAnimated };
  };

  const tick = (name, isGood) => {
    part(`[data-check="${name}"]`).dataset.state = isGood ? "yes" : "no";
  };

  const tell = (name, words) => { part(`[data-fact="${name}"]`).textContent = words; };

  const judge = (file, png) => {
    const isNarrow = !png || png.width < LEAST_WIDTH;
    const isVast = !png || png.isAnimated || Math.max(png.width, png.height) > MOST_SIDE;
    tick("png", Boolean(png));
    tick("width", !isNarrow);
    tick("size", file.size <= MOST_BYTES);
    tick("still", !isVast);
    tell("width", png ? `· ${png.width} × ${png.height}` : "");
    tell("size", `· ${Math.ceil(file.size / 1024)} KB`);
    const isGood = png && !isNarrow && !isVast && file.size <= MOST_BYTES;
    part("[data-reduce]").hidden = isGood || Boolean(png && isNarrow);
    part("[type=submit]").disabled = !isGood;
  };

  const preview = (file) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      for (const image of document.querySelectorAll("[data-preview]")) {
        image.src = reader.result;
        image.hidden = false;
      }
    });
    reader.readAsDataURL(file);
  };

  const look = async () => {
    const [file] = input().files;
    if (!file) return;
    document.getElementById("logo-error")?.remove();
    judge(file, measure(new Uint8Array(await file.arrayBuffer())));
    if (file.type.startsWith("image/")) preview(file);
  };

  const draw = (picture, width, bits) => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = Math.max(1, Math.round((picture.height * width) / picture.width));
    const paper = canvas.getContext("2d");
    paper.imageSmoothingQuality = "high";
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
    if (bits < 8) {
      const pixels = paper.getImageData(0, 0, canvas.width, canvas.height);
      const step = 255 / (2 ** bits - 1);
      pixels.data.forEach((value, place, data) => { data[place] = Math.round(value / step) * step; });
      paper.putImageData(pixels, 0, 0);
    }
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  };

  // Smaller first, then with fewer colours.
  const shrink = async (picture) => {
    let width = Math.floor(Math.min(picture.width, MOST_SIDE, (MOST_SIDE * picture.width) / picture.height));
    for (let bits = 8; width >= LEAST_WIDTH && bits >= 3;) {
      const blob = await draw(picture, width, bits);
      if (blob.size <= FITS) return blob;
      if (width === LEAST_WIDTH) bits -= 1;
      else width = Math.max(LEAST_WIDTH, Math.floor(width * 0.85));
    }
    return null;
  };

  const take = (blob) => {
    const files = new DataTransfer();
    files.items.add(new File([blob], "logo.png", { type: "image/png" }));
    input().files = files.files;
    return look();
  };

  const reduce = async (button) => {
    const [file] = input().files;
    const words = button.nextElementSibling;
    button.setAttribute("aria-busy", "true");
    const picture = await createImageBitmap(file).catch(() => null);
    const blob = picture && (await shrink(picture));
    button.removeAttribute("aria-busy");
    if (!blob) {
      words.textContent = button.dataset.failed;
      return;
    }
    const kilobytes = (size) => Math.ceil(size / 1024);
    await take(blob);
    part("[data-reduce]").hidden = false;
    button.hidden = true;
    words.textContent = button.dataset.done
      .replace("{before}", kilobytes(file.size)).replace("{after}", kilobytes(blob.size));
  };

  const ready = () => {
    if (!form()) return;
    form().querySelectorAll("[data-scripted]").forEach((item) => { item.hidden = false; });
    input().accept = "image/*"; // another format can be made fit here
    look();
  };

  const zone = (event) => event.target.closest?.("[data-logo-drop]");

  document.addEventListener("change", (event) => {
    if (!event.target.closest("[data-logo-drop]")) return;
    const button = part("[data-reduce] button");
    button.hidden = false;
    button.nextElementSibling.textContent = "";
    look();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-reduce] button");
    if (button) reduce(button);
  });
  document.addEventListener("dragover", (event) => {
    const target = zone(event);
    if (!target) return;
    event.preventDefault();
    target.dataset.over = "";
  });
  document.addEventListener("dragleave", (event) => { delete zone(event)?.dataset.over; });
  document.addEventListener("drop", (event) => {
    const target = zone(event);
    if (!target) return;
    event.preventDefault();
    delete target.dataset.over;
    if (!event.dataTransfer.files.length) return;
    input().files = event.dataTransfer.files;
    input().dispatchEvent(new Event("change", { bubbles: true }));
  });
  document.addEventListener("htmx:xhr:progress", ({ detail }) => {
    const bar = form() && part("progress");
    if (!bar || !detail.lengthComputable) return;
    bar.hidden = false;
    bar.value = (100 * detail.loaded) / detail.total;
  });
  document.addEventListener("htmx:afterSwap", ready);
  ready();
}
