"""The request for a token over a real socket."""

import re
import socket

import pytest

from partner.auth.token_host import ClientCredentials, TokenFault
from partner.http.transport import PooledTransport
from partner.http.user_agent import user_agent
from partner.tests.raw_server import answer


class TestToken:
    GOOD = b'{"access_token": "t", "scope": "a b", "expires_in": 60, "token_type": "Bearer"}'

    def request_token(self, server):
        return PooledTransport().request_token(
            ClientCredentials(server.url, "https://api/", "client", "s&cret=1 ü")
        )

    def test_it_works(self, serve):
        server = serve(answer(self.GOOD))

        granted = self.request_token(server)

        assert (granted.access_token, granted.scopes, granted.expires_in) == ("t", "a b", 60)
        sent = b"".join(server.seen)
        assert sent.startswith(b"POST /api/oauth/token HTTP/1.1\r\n")
        assert b"Content-Type: application/x-www-form-urlencoded" in sent
        assert b"grant_type=client_credentials" in sent
        assert b"client_secret=s%26cret%3D1+%C3%BC" in sent
        assert b"audience=https%3A%2F%2Fapi%2F" in sent
        assert b"Authorization" not in sent
        assert re.findall(rb"(?mi)^user-agent: (\S+)", sent) == [user_agent().split()[0].encode()]

    @pytest.mark.parametrize(
        ("expires", "seconds"),
        [(b'"x"', 8600), (b"null", 8600), (b"-1", 8600), (b"0", 8600), (b"true", 8600)]
        + [(b"8600000", 8600), (b"1e400", 8600), (b"8600.0", 8600), (b'"120"', 120)]
        + [(b"9" * 400, 8600), (b"9" * 5000, 8600), (b"NaN", 8600), (b"0.5", 8600)]
        # Half an hour in milliseconds would be believed for three weeks, and refused for as long.
        + [(b"1800000", 8600), (b"604801", 8600)]
        # And whatever is shorter than ten minutes for some days. No host grants 27 hours.
        + [(b"%d" % (1000 * seconds), 8600) for seconds in (87, 120, 180, 300, 360, 540, 600)]
        # Whoever takes a day for less requests the next token while this one is valid.
        + [(b"86400", 86400), (b"604800", 604800)],
    )
    def test_an_odd_lifetime_is_the_contracts(self, serve, expires, seconds):
        body = self.GOOD.replace(b"60", expires)

        assert self.request_token(serve(answer(body))).expires_in == seconds

    @pytest.mark.parametrize(
        "odd",
        [
            b'"scope": 7',
            b'"scope": {}',
            b'"scope": null',
            b'"expires_at": NaN',
            b'"error": null',
        ],
    )
    def test_odd_fields_beside_a_token_do_not_lose_it(self, serve, odd):
        """Where they did, the next request came while this token was valid."""
        body = b'{"access_token": "t", "expires_in": 60, %s}' % odd

        granted = self.request_token(serve(answer(body)))

        assert (granted.access_token, granted.expires_in) == ("t", 60)

    @pytest.mark.parametrize("token", [b'"a\\nb"', '"é"'.encode(), b'" t"', b'""', b"7", b"null"])
    def test_a_token_that_no_header_carries_is_none(self, serve, token):
        body = self.GOOD.replace(b'"t"', token)

        with pytest.raises(TokenFault) as fault:
            self.request_token(serve(answer(body)))

        assert fault.value.is_lost

    def test_scopes_may_be_a_list(self, serve):
        body = self.GOOD.replace(b'"a b"', b'["a", "b", 3]')

        assert self.request_token(serve(answer(body))).scopes == "a b 3"

    @pytest.mark.parametrize(
        ("status", "body", "code"),
        [
            (401, b'{"error": "access_denied", "error_description": "x"}', "ACCESS_DENIED"),
            (403, b'{"error": "unauthorized_client"}', "UNAUTHORIZED_CLIENT"),
            (429, b'{"message": "Too Many Requests"}', ""),
            (500, b"<html>", ""),
            (307, b"", ""),
        ],
    )
    def test_a_refusal_keeps_its_status_and_its_pause(self, serve, status, body, code):
        server = serve(
            b"HTTP/1.1 %d X\r\nLocation: http://10.0.0.1/\r\nRetry-After: 90\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (status, len(body), body)
        )

        with pytest.raises(TokenFault) as fault:
            self.request_token(server)

        assert (fault.value.code, fault.value.is_refusal) == (code, status in (401, 403))
        assert fault.value.retry_after == 90
        assert len(server.seen) <= 2

    @pytest.mark.parametrize(
        "piece",
        [answer(b"<html>"), answer(b"{}"), answer(b"[]"), answer(b"[" * 60_000), b""],
        ids=["html", "object", "list", "too deep", "nothing"],
    )
    def test_an_unreadable_success_may_have_been_one(self, serve, piece):
        with pytest.raises(TokenFault) as fault:
            self.request_token(serve(piece))

        assert fault.value.is_lost

    def test_nobody_there_lost_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]

        with pytest.raises(TokenFault) as fault:
            PooledTransport().request_token(
                ClientCredentials(f"http://127.0.0.1:{port}", "a", "c", "s")
            )

        assert not fault.value.is_lost
