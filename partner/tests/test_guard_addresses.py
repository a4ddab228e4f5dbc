import socket
from ipaddress import ip_address, ip_network

import pytest

from partner.http.addresses import AddressRefused, check_address, is_plain_loopback, resolve


def answers(monkeypatch, *addresses):
    """Let every name resolve to these addresses."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: found)


class TestCheckAddress:
    def test_it_works(self):
        assert check_address("https://api.example.com/v/") == "https://api.example.com/v"

    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1:8100/api", "http://localhost:8100", "http://[::1]:8100/api"]
    )
    def test_plain_http_is_for_this_machine(self, url):
        assert check_address(url) == url
        assert is_plain_loopback(url)

    @pytest.mark.parametrize(
        "url",
        [
            "http://api.example.com",
            "file:///etc/passwd",
            "ftp://api.example.com",
            "https://",
            "https:///path",
            "",
            "https://exa mple.com",
            "https://[::1",
            "https://api.example.com:99999",
            "https://api.example.com:0",
            "https://user:pass@api.example.com",
            "https://api.example.com/?token=1",
            "https://api.example.com/#there",
            "https://169.254.169.254/latest",
            "https://10.0.0.1",
            "https://192.168.1.1",
            "https://0x7f.1",
            "https://2130706433",
            "https://[::ffff:10.0.0.1]",
            "https://[64:ff9b::a00:1]",
            "https://[2002:a00:1::]",
            "https://[fe80::1]",
            "https://224.0.0.1",
            "https://0.0.0.0",
            "http://0x7f.1",
            "http://127.0.0.2",
        ],
    )
    def test_others_are_refused_with_a_sentence(self, url):
        with pytest.raises(AddressRefused) as refused:
            check_address(url)

        assert str(refused.value.sentence).endswith(".")

    def test_a_setting_allows_private_networks(self, settings):
        settings.PARTNER_ALLOW_PRIVATE = True

        assert check_address("https://10.0.0.1") == "https://10.0.0.1"


# The networks that IANA's special-purpose registries do not call globally reachable.
SPECIAL_NETWORKS = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "255.255.255.255/32",
    "::/128",
    "::1/128",
    "::/96",
    "::ffff:0:0/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/32",
    "2001:2::/48",
    "2001:10::/28",
    "2001:db8::/32",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
]
INSIDE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1"]


def carriers(inside):
    """The IPv6 spellings that carry an IPv4 address: mapped, compatible, NAT64 (twice), 6to4."""
    high, low = (part or "0" for part in ip_address(f"::ffff:{inside}").compressed.split(":")[-2:])
    return [
        f"::ffff:{high}:{low}",
        f"::{high}:{low}",
        f"64:ff9b::{high}:{low}",
        f"64:ff9b:1::{high}:{low}",
        f"2002:{high}:{low}::",
    ]


class TestOnlyRoutedAddresses:
    """Whatever is not routed on the internet is refused: as typed, and as resolved."""

    @pytest.fixture(autouse=True)
    def in_production(self, settings):
        settings.PARTNER_ALLOW_LOOPBACK = settings.PARTNER_ALLOW_PRIVATE = False

    @pytest.mark.parametrize("network", SPECIAL_NETWORKS)
    def test_special_networks_are_refused_from_end_to_end(self, network, monkeypatch):
        for address in {ip_network(network)[0], ip_network(network)[-1]}:
            self.refuses(str(address), monkeypatch)

    @pytest.mark.parametrize("inside", INSIDE)
    def test_an_inner_address_inside_an_outer_one_is_refused(self, inside, monkeypatch):
        for address in carriers(inside):
            self.refuses(address, monkeypatch)

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_loopback_is_for_the_demo(self, host, scheme, monkeypatch):
        with pytest.raises(AddressRefused):
            check_address(f"{scheme}://{host}:8100")

        answers(monkeypatch, "127.0.0.1")
        with pytest.raises(AddressRefused):
            resolve(host.strip("[]"), port=8100)

    @pytest.mark.parametrize("routed", ["93.184.216.34", "2606:2800:220::1", "64:ff9b::5db8:d822"])
    def test_others_are_routed(self, routed, monkeypatch):
        answers(monkeypatch, routed)

        assert resolve("api.example.com", port=443) == [routed]

    def refuses(self, address, monkeypatch):
        host = f"[{address}]" if ":" in address else address
        with pytest.raises(AddressRefused):
            check_address(f"https://{host}")

        answers(monkeypatch, address)
        with pytest.raises(AddressRefused):
            resolve("api.example.com", port=443)


class TestResolve:
    def test_it_works(self, monkeypatch):
        answers(monkeypatch, "93.184.216.34", "93.184.216.34")

        assert resolve("api.example.com", port=443) == ["93.184.216.34"]

    @pytest.mark.parametrize("inside", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "fe80::1%eth0"])
    def test_a_name_that_leads_inside_is_refused(self, monkeypatch, inside):
        answers(monkeypatch, "93.184.216.34", inside)

        with pytest.raises(AddressRefused):
            resolve("rebinding.example.com", port=443)

    def test_localhost_must_be_this_machine(self, monkeypatch):
        answers(monkeypatch, "127.0.0.1")
        assert resolve("localhost", port=8100) == ["127.0.0.1"]

        answers(monkeypatch, "93.184.216.34")
        with pytest.raises(AddressRefused):
            resolve("localhost", port=8100)
