"""A person at a real browser's distance: cookies, forms, redirects, nothing from the inside."""

import http.cookiejar
import re
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

PASSWORD = "a long password of a test 1"  # noqa: S105 - opens a scratch database


class Page(NamedTuple):
    status: int
    address: str  # after redirects
    text: str


class Person:
    def __init__(self, address: str, email: str) -> None:
        self.address = address
        self.email = email
        self.cookies = http.cookiejar.CookieJar()
        self._open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies)
        ).open

    def get(self, path: str) -> Page:
        return self._ask(urllib.request.Request(self.address + path))

    def post(self, path: str, **fields: str) -> Page:
        """Send a form as a page of ours would: with the token of the cookie."""
        token = next((one.value for one in self.cookies if "csrf" in one.name), "")
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token or "", **fields}).encode()
        headers = {"Referer": self.address + path, "Origin": self.address}
        return self._ask(urllib.request.Request(self.address + path, data=data, headers=headers))

    def sign_in(self) -> Page:
        self.get("/accounts/login/")
        page = self.post("/accounts/login/", login=self.email, password=PASSWORD)
        assert "/accounts/login/" not in page.address, page
        return page

    def confirm(self) -> Page:
        return self.post("/accounts/reauthenticate/", password=PASSWORD)

    def _ask(self, request: urllib.request.Request) -> Page:
        try:
            with self._open(request, timeout=30) as answer:
                return Page(answer.status, answer.url, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Page(error.code, error.url, error.read().decode())


def words_of(page: Page) -> str:
    return re.sub(r"<[^>]+>", " ", page.text)
