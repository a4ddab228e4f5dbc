// The offline copy in a database of the browser: its pages, encrypted, with a key that no script can take out.
self.offlineCopy = (() => {
  const NAME = "couvert-offline";
  const SET_BACK = 120_000; // a clock that was set back further ends the copy
  const AES = { name: "AES-GCM", length: 256 };

  const settled = (request) => new Promise((resolve, reject) => {
    Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) });
  });

  const open = async () => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    const database = await settled(request);
    return Object.assign(database, { onversionchange: () => database.close() });
  };

  // A full disk is noticed at the end of a transaction, not by its requests.
  const run = async (mode, act) => {
    const database = await open();
    const transaction = database.transaction("kept", mode);
    const end = new Promise((resolve, reject) => {
      Object.assign(transaction, { oncomplete: resolve, onabort: () => reject(transaction.error) });
    });
    return Promise.all([settled(act(transaction.objectStore("kept"))), end]).then(([value]) => value).finally(() => database.close());
  };

  const get = (name) => run("readonly", (kept) => kept.get(name));
  const put = (name, value) => run("readwrite", (kept) => kept.put(value, name));
  const remove = (name) => run("readwrite", (kept) => kept.delete(name));
  const wipe = () => Promise.resolve().then(() => settled(indexedDB.deleteDatabase(NAME))).catch(() => {}); // refused at once

  // Null once the copy is over: then nothing is left of it either.
  const about = async () => {
    const [found, seenAt, now] = [await get("about"), await get("seenAt") ?? 0, Date.now()];
    if (!found) return null;
    if (now > found.ends || now < seenAt - SET_BACK) return wipe().then(() => null);
    await put("seenAt", Math.max(now, seenAt));
    return found;
  };

  const start = () => wipe()
    .then(() => crypto.subtle.generateKey(AES, false, ["encrypt", "decrypt"])).then((key) => put("key", key));

  const write = async (name, value) => {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify(value));
    await put(name, { iv, data: await crypto.subtle.encrypt({ ...AES, iv }, await get("key"), text) });
  };

  const read = async (name) => {
    const { iv, data } = await get(name);
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ ...AES, iv }, await get("key"), data)));
  };

  // Since when the server does not answer.
  const note = async (since) => await get("since") ?? put("since", since).then(() => since);

  return { about, get, note, put, read, remove, start, wipe, write };
})();
