// The text of a part of the page; an error with the status where the server gives none.
self.fetchPart = async (address) => {
  const answer = await fetch(address, { headers: { "HX-Request": "true" }, redirect: "error" });
  if (answer.ok) return answer.text();
  throw new Error(answer.status);
};
