"""The transport over real sockets: what a server may do to us, and what we never do."""

import gzip
import json
import re
import socket
import ssl
from datetime import UTC, datetime
from ipaddress import ip_address
from uuid import UUID

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from partner.auth.token_host import ClientCredentials
from partner.http import transport
from partner.http.addresses import AddressRefused
from partner.http.protocol import build, build_get
from partner.http.transport import Lost, NotConnected, PooledTransport, TooLarge
from partner.tests.raw_server import OK, RawServer, answer

# A body that never comes and one that drips are cut short here, not after 15 seconds.
PATIENCE = 0.3


def send(url, **options):
    headers = {"Authorization": "Bearer x", "Accept-Encoding": "gzip"}
    one = options.pop("by", None) or PooledTransport()
    return one.send(url, build_get("/v1/x"), headers=headers, read_timeout=PATIENCE)


def test_it_works(serve):
    server = serve(answer(b"{}"))

    response = send(server.url)

    assert (response.status, response.body) == (200, b"{}")
    assert response.headers["content-type"] == "application/json"
    assert server.seen[0].startswith(b"GET /api/v1/x HTTP/1.1\r\n")


def test_connections_are_kept(serve):
    server = serve(answer(b"{}"), hang_up=False)
    one = PooledTransport()

    for _ in range(3):
        send(server.url, by=one)

    assert server.connections == 1


class Hangup(RawServer):
    """Answers the first request of a connection, and ends it at the second, unanswered."""

    def _talk(self, peer: socket.socket) -> None:
        for piece in self.pieces:
            self.seen.append(self._request(peer))
            peer.sendall(piece)
        self.seen.append(self._request(peer))
        if self.leaves:
            self.socket.shutdown(socket.SHUT_RDWR)

    leaves = False


@pytest.mark.parametrize("leaves", [False, True], ids=["stays", "is gone"])
@pytest.mark.parametrize("operation", ["get_reservation", "cancel_reservation"])
def test_nothing_is_sent_again_when_a_kept_connection_breaks(operation, leaves, monkeypatch):
    monkeypatch.setattr(Hangup, "leaves", leaves)
    server = Hangup(answer(b"{}"))
    one = PooledTransport()
    send(server.url, by=one)

    with pytest.raises(Lost):
        one.send(server.url, build(operation, UUID(int=1)), headers={}, read_timeout=PATIENCE)

    server.close()
    assert len(server.seen) == 2


def test_a_write_without_a_body_says_so(serve):
    server = serve(answer(b"{}"))

    request = build("cancel_reservation", UUID(int=1))
    PooledTransport().send(server.url, request, headers={}, read_timeout=PATIENCE)

    [sent] = server.seen
    assert sent.startswith(b"PATCH ")
    assert re.findall(rb"(?mi)^content-(\S+): (\S+)", sent) == [(b"Length", b"0")]


def test_a_body_is_sent_as_it_is(serve):
    server = serve(answer(b"{}"))
    body = {"restaurantNote": "Tisch 4 ü @file"}

    request = build("update_reservation", UUID(int=1), body=body)
    headers = {"Content-Type": "application/json"}
    PooledTransport().send(server.url, request, headers=headers, read_timeout=PATIENCE)

    [sent] = server.seen
    assert sent.endswith(b"\r\n\r\n" + json.dumps(body, ensure_ascii=False).encode())
    assert sent.lower().count(b"content-type:") == sent.lower().count(b"content-length:") == 1
    assert b"expect" not in sent.lower()


def test_a_header_stays_one_line(serve):
    server = serve(answer(b"{}"))

    with pytest.raises(ValueError, match="line break"):
        PooledTransport().send(
            server.url, build_get("/v1/x"), headers={"X": "a\r\nb: c"}, read_timeout=PATIENCE
        )

    assert server.seen == []


def test_an_interim_answer_is_none(serve):
    interim = b"HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"

    assert "retry-after" not in send(serve(interim + answer(b"{}")).url).headers


def test_a_name_is_looked_up_once_and_pinned(serve, settings, monkeypatch):
    settings.PARTNER_ALLOW_PRIVATE = True
    server = serve(answer(b"{}"), tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    port = int(server.url.split(":")[2].split("/")[0])
    looked_up = []

    def look_up(host, *args, **kwargs):
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(NotConnected):  # it has no certificate
        send(f"https://unknown.example:{port}")

    assert [host for host in looked_up if host != "127.0.0.1"] == ["unknown.example"]
    assert server.connections == 1


def test_zipped_bodies_are_read(serve):
    server = serve(answer(gzip.compress(b'{"a": 1}'), b"Content-Encoding: gzip"))

    assert send(server.url).body == b'{"a": 1}'


def test_a_redirect_is_an_answer_and_is_not_followed(serve):
    server = serve(b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n")

    assert send(server.url).status == 302


def test_the_machines_proxies_are_ignored(serve, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")

    assert send(serve(answer(b"{}")).url).status == 200


@pytest.mark.parametrize(
    "pieces",
    [
        [OK + b"Content-Length: 100\r\n\r\n{}"],
        [OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"],
        [answer(b"no gzip", b"Content-Encoding: gzip")],
        [b"nonsense\r\n\r\n"],
        [b""],
    ],
    ids=["truncated", "cut chunk", "bad gzip", "no http", "hung up"],
)
def test_half_an_answer_is_none(serve, pieces):
    with pytest.raises(Lost):
        send(serve(*pieces).url)


def test_one_that_never_comes_is_given_up(serve):
    with pytest.raises(Lost):
        send(serve(b"", hang_up=False).url)


def test_one_that_drips_for_ever_is_given_up(serve, monkeypatch):
    monkeypatch.setattr(transport, "TOTAL_TIMEOUT", 0.2)
    drip = [OK + b"Content-Length: 1000\r\n\r\n", *[b"x"] * 50]

    with pytest.raises(Lost):
        send(serve(*drip, pause=0.05).url)


@pytest.mark.parametrize("is_zipped", [True, False])
def test_one_without_end_is_too_large(serve, monkeypatch, is_zipped):
    monkeypatch.setattr(transport, "BODY_CAP", 1000)
    body = b"x" * 300_000
    pieces = answer(gzip.compress(body), b"Content-Encoding: gzip") if is_zipped else answer(body)

    with pytest.raises(TooLarge):
        send(serve(pieces).url)


def test_nobody_there_means_nothing_left():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    with pytest.raises(NotConnected):
        send(f"http://127.0.0.1:{port}")


def test_an_unknown_name_means_nothing_left(monkeypatch):
    def unknown(*args, **kwargs):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(NotConnected):
        send("https://unknown.example")


def test_a_server_without_tls_is_not_spoken_to_with_it(serve):
    url = serve(answer(b"{}")).url.replace("http://", "https://")

    with pytest.raises(NotConnected):
        send(url)


@pytest.fixture
def certificate(tmp_path):
    """A file with a key and a certificate of 127.0.0.1 that only itself vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server of the tests")])
    place = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=1,
        not_valid_before=datetime(2020, 1, 1, tzinfo=UTC),
        not_valid_after=datetime(2120, 1, 1, tzinfo=UTC),
    ).add_extension(place, critical=False)
    secret = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file = tmp_path / "certificate.pem"
    signed = builder.sign(key, SHA256()).public_bytes(Encoding.PEM)
    file.write_bytes(key.private_bytes(*secret) + signed)
    return file


class TestSecure:
    @pytest.fixture
    def server(self, serve, certificate):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        return serve(answer(b"{}"), hang_up=False, tls=context)

    def test_it_works(self, server, certificate, monkeypatch):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        one = PooledTransport()

        answers = [send(server.url, by=one) for _ in range(3)]

        assert [response.body for response in answers] == [b"{}"] * 3
        assert server.connections == 1

    def test_a_certificate_that_nobody_vouches_for_is_refused(self, server):
        with pytest.raises(NotConnected):
            send(server.url)

        assert server.seen == []

    def test_so_is_one_of_another_name(self, server, certificate, monkeypatch):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

        with pytest.raises(NotConnected):
            send(server.url.replace("127.0.0.1", "localhost"))


def test_a_connection_that_was_ended_meanwhile_is_not_used(serve):
    server = serve(answer(b"{}"))
    one = PooledTransport()

    for _ in range(3):
        assert send(server.url, by=one).body == b"{}"
        server.gone.acquire(timeout=PATIENCE)

    assert server.connections == 3


@pytest.mark.parametrize("url", ["http://169.254.169.254", "https://10.0.0.1", "https://[fe80::1]"])
def test_addresses_inside_are_refused(url):
    with pytest.raises(AddressRefused):
        send(url)


def test_a_name_that_leads_inside_is_refused_at_the_socket(monkeypatch):
    inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: inside)

    with pytest.raises(AddressRefused):
        send("https://rebinding.example")
    with pytest.raises(AddressRefused):
        PooledTransport().request_token(
            ClientCredentials("https://rebinding.example", "a", "c", "s")
        )
