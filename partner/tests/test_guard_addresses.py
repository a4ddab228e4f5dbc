import socket

import pytest

from partner.addresses import AddressRefused, check_address, is_plain_loopback, resolve


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
