// The text of a part of the page; an error with the status where the server gives none. Once the sign-in has ended
// there is no answer at all, so that nothing is fetched again: the next page is loaded with another.
self.fetchPart = async (address) => {
  const answer = await fetch(address, { headers: { "HX-Request": "true" }, redirect: "error" });
  if (answer.ok) return answer.text();
  if (answer.status === 401) await new Promise(() => {});
  throw new Error(answer.status);
};
