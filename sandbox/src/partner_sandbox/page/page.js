"use strict";

const BUTTONS = [
  ["new_booking", "A guest books"], ["walk_in", "A party walks in"], ["arrive", "A party arrives"],
  ["seat", "A party sits down"], ["bill", "They ask for the bill"], ["leave", "They pay and leave"],
  ["no_show", "Nobody came"], ["change", "A booking changes"], ["cancel", "A guest cancels"],
  ["answer_request", "A request is answered"], ["review", "A guest writes a review"],
  ["publish_comment", "A comment is published"], ["unpublish_comment", "A comment is taken back"],
  ["moderate_reply", "A reply is moderated"], ["change_customer", "A profile changes"],
  ["forget_customer", "A guest asks to be forgotten"],
];
const FAULTS = [
  ["Slow: 2 s", { effect: { latency_ms: 2000 } }],
  ["500 on one in three", { effect: { status: 500 }, rate: 0.33 }],
  ["503 for a minute", { effect: { status: 503, retry_after: 5 }, until: 60 }],
  ["429 ten times", { effect: { status: 429, retry_after: 2 }, count: 10 }],
  ["Writes work, then 500", { match: { endpoint: "(create|update|cancel)_reservation|reply_to_review" },
    effect: { status: 500, after_effect: true } }],
  ["Connections drop", { effect: { drop: true }, rate: 0.3 }],
  ["Answers about something else", { match: { method: "GET", endpoint: "get_.*" },
    effect: { foreign: "message" }, until: 60 }],
  ["Lists are empty", { match: { endpoint: "list_(reservations|customers|reviews)" },
    effect: { empty_list: true }, until: 60 }],
  ["Answers are cut short", { effect: { truncate: true }, rate: 0.3 }],
  ["Answers are not JSON", { effect: { body: "<html>Oops</html>" }, count: 5 }],
  ["Events get lost", { match: { event: ".*" }, effect: { lost: true }, rate: 0.5 }],
  ["Events come three times", { match: { event: ".*" }, effect: { copies: 3, shuffle_ms: 4000 } }],
];
// Several owners: the page of the second is /owners/2.
const OWNER = location.pathname.match(/^\/owners\/\d+/)?.[0] ?? "";
const byId = (id) => document.getElementById(id);

async function ask(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } };
  if (body) options.body = JSON.stringify(body);
  const answer = await fetch(OWNER + "/_sandbox/" + path, options);
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.problem || "It did not work.");
  return data;
}

function make(tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text ?? "";
  if (className) element.className = className;
  return element;
}

function fill(id, rows, empty) {
  const list = byId(id);
  list.replaceChildren(...(rows.length ? rows : [make("li", empty, "empty")]));
}

function listRow(left, right, className) {
  const row = make("li");
  row.append(make("span", left), make("span", right, className));
  return row;
}

async function happen(what) {
  const params = { what };
  if (byId("where").value) params.restaurant = byId("where").value;
  try {
    const done = (await ask("POST", "happen", params)).happened[0];
    byId("happened").textContent = done
      ? Object.entries(done).filter(([key, value]) => key !== "what" && value !== null)
        .map(([key, value]) => `${key} ${value}`).join(" · ")
      : "There was nobody it could happen to.";
  } catch (problem) {
    byId("happened").textContent = problem.message;
  }
  refresh();
}

function button(text, act, className) {
  const element = make("button", text, className);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

function card(title, entries) {
  const element = make("div", "", "card");
  const list = make("dl");
  for (const [name, value] of entries) {
    const detail = make("dd");
    detail.append(make("code", value));
    list.append(make("dt", name), detail);
  }
  element.append(make("h3", title), list);
  return element;
}

async function showWorld() {
  const world = await ask("GET", "world");
  const facts = { World: world.world, Seed: world.seed, Now: world.now.slice(0, 16).replace("T", " ") + " UTC",
    Reservations: world.counts.reservation, Guests: world.counts.customer, Reviews: world.counts.review };
  byId("facts").replaceChildren(...Object.entries(facts).map(([name, value]) => {
    const pair = make("div");
    pair.append(make("dt", name), make("dd", String(value)));
    return pair;
  }));
  byId("addresses").replaceChildren(
    card("Addresses", [["auth_url", world.auth_url], ["base_url", world.base_url],
      ["pos_base_url", world.pos_base_url], ["audience", world.audience]]),
    card("Point of sale", [["uuid", world.pos.uuid], ["X-Api-Key", world.pos.api_key]]),
  );
  byId("clients").replaceChildren(...world.clients.map((client) => card("Client: " + client.name,
    [["client_id", client.client_id], ["client_secret", client.client_secret],
      ["scopes", client.scopes.join(" ")]])));
  const groups = [...world.groups, ...world.other_groups];
  byId("groups").replaceChildren(...groups.slice(0, 12).map((group) => card(group.name,
    [["group", group.uuid], ...group.restaurants.map((r) => [`${r.name} (${r.timezone})`, r.uuid])])));
  byId("where").append(...world.groups.flatMap((group) => group.restaurants).map((restaurant) => {
    const option = make("option", restaurant.name);
    option.value = restaurant.uuid;
    return option;
  }));
  document.forms.hook.url.value = world.webhook_url;
}

function journalRow(entry) {
  const row = make("tr");
  const status = entry.status || "dropped";
  const remarks = [...entry.breaches, entry.fault].filter(Boolean).join(", ");
  row.append(
    make("td", new Date(entry.at).toLocaleTimeString()), make("td", entry.client.slice(0, 14)),
    make("td", `${entry.method} ${entry.target}`),
    make("td", status, entry.status >= 400 || !entry.status ? "bad" : "good"),
    make("td", entry.ms.toFixed(1)), make("td", remarks, entry.breaches.length ? "bad" : ""),
  );
  return row;
}

async function refresh() {
  if (document.hidden) return;
  const [recent, faults, events] = await Promise.all([
    ask("GET", "recent?limit=30"), ask("GET", "faults"), ask("GET", "deliveries?limit=6"),
  ]);
  byId("journal").replaceChildren(...recent.entries.map(journalRow));
  fill("breaches", Object.entries(recent.breaches).map(([rule, breach]) =>
    listRow(breach.meaning || rule, String(breach.count), "bad")), "None so far.");
  fill("faults", faults.faults.filter((fault) => !fault.over).map((fault) =>
    listRow(JSON.stringify({ ...fault.match, ...fault.effect }), `${fault.hits}×`)), "Everything works.");
  fill("deliveries", events.deliveries.map((event) =>
    listRow(event.payload.eventType || "by hand", `${event.outcome}, ${event.attempts}×`,
      event.outcome === "delivered" ? "good" : "")), "No events yet.");
}

function start() {
  byId("happenings").append(...BUTTONS.map(([what, text]) => button(text, () => happen(what))));
  byId("fault-buttons").append(...FAULTS.map(([text, fault]) =>
    button(text, () => ask("POST", "faults", fault).then(refresh), "quiet")));
  byId("clear-faults").addEventListener("click", () => ask("DELETE", "faults").then(refresh));
  byId("clear-journal").addEventListener("click", () => ask("DELETE", "journal").then(refresh));
  byId("hook").addEventListener("submit", async (event) => {
    event.preventDefault();
    const outcome = byId("webhook-outcome");
    try {
      await ask("POST", "webhook", { url: event.target.url.value });
      outcome.textContent = "Saved.";
    } catch (problem) {
      outcome.textContent = problem.message;
    }
  });
  showWorld().then(refresh);
  setInterval(refresh, 3000);
}

start();
