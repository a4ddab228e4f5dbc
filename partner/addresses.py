"""Where we may connect to: the guard against a base address that points inside.

Checked twice: when an address is typed, and again for the very socket that is opened, because
a name may answer differently the second time (DNS rebinding).
"""

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Only these spellings count as "this machine"; 0x7f.1 and names that resolve here do not.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
# Networks whose addresses carry an IPv4 address inside: translated (NAT64) and 6to4.
NAT64 = ipaddress.ip_network("64:ff9b::/96")

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressRefused(ValueError):
    """An address that we do not talk to, with a sentence for the person who typed it."""

    def __init__(self, sentence: "str | Promise") -> None:
        super().__init__(sentence)
        self.sentence = sentence


def check_address(url: str) -> str:
    """Return `url` without its trailing slash, or raise `AddressRefused`. Resolves no name."""
    try:
        parts = urlsplit(url.strip())
        _check_parts(parts)
    except AddressRefused:
        raise
    except ValueError:
        raise AddressRefused(_("This is not a web address.")) from None
    return parts.geturl().rstrip("/")


def _check_parts(parts: SplitResult) -> None:
    host = parts.hostname or ""
    if not host or parts.port == 0 or any(mark.isspace() for mark in parts.geturl()):
        raise AddressRefused(_("This is not a web address."))
    if parts.username or parts.password or parts.query or parts.fragment:
        raise AddressRefused(_("The address may not hold a user name, a query or a fragment."))
    if parts.scheme != "https" and not is_plain_loopback(parts.geturl()):
        raise AddressRefused(_("The address must begin with https://."))
    address = _literal(host)
    if address and host not in LOOPBACK and not is_reachable(address):
        raise AddressRefused(_("The address points to a private network."))


def is_plain_loopback(url: str) -> bool:
    """Say whether `url` is plain http to this very machine (the sandbox)."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in LOOPBACK


def is_reachable(address: IPAddress) -> bool:
    """Say whether we may open a socket to `address`."""
    address = _embedded(address)
    return settings.PARTNER_ALLOW_PRIVATE or (address.is_global and not address.is_multicast)


def resolve(host: str, *, port: int) -> list[str]:
    """Return the addresses of `host` to connect to; raise if even one of them is inside.

    Raises `socket.gaierror` when the name is unknown.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    inside = [a for a in addresses if not _may_connect(host, a)]
    if inside:
        raise AddressRefused(_("The address points to a private network."))
    return addresses


def _may_connect(host: str, address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    return ip.is_loopback if host in LOOPBACK else is_reachable(ip)


def _literal(host: str) -> IPAddress | None:
    """Read an address written out, also in the spellings that only the resolver knows."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.ip_address(socket.inet_aton(host))  # 0x7f.1, 2130706433, 127.1
    except OSError:
        return None


def _embedded(address: IPAddress) -> IPAddress:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
