"""SSRF guard: which addresses may be connected to.

Checked twice: when an address is typed, and again for the very addresses that are connected to,
because a name may answer differently the second time (DNS rebinding).
"""

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Only these spellings count as "this machine"; 0x7f.1 and names that resolve here do not.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
# Translated addresses (NAT64) carry an IPv4 address inside, as 6to4 and mapped ones do.
NAT64 = ipaddress.ip_network("64:ff9b::/96")
# IPv6 is routed on the internet within this network alone: site-local (fec0::), local-use NAT64
# (64:ff9b:1::) and IPv4-compatible addresses (::127.0.0.1) lie outside.
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# Global for `ipaddress` in some version of Python, and not in IANA's special-purpose registries.
NOT_ROUTED = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

PRIVATE_NETWORK = _("The address points to a private network.")
THIS_MACHINE = _(
    "The address points to this very machine. Only an installation for trying things out "
    "(HTTPS_ONLY=false) may use that."
)


class AddressRefused(ValueError):
    """An address that may not be used, with a sentence for the person who typed it."""

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
    if host in LOOPBACK and not settings.PARTNER_ALLOW_LOOPBACK:
        raise AddressRefused(THIS_MACHINE)
    if address and host not in LOOPBACK and not is_reachable(address):
        raise AddressRefused(PRIVATE_NETWORK)


def is_plain_loopback(url: str) -> bool:
    """Say whether `url` is plain http to this very machine (the sandbox)."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in LOOPBACK


def is_reachable(address: IPAddress) -> bool:
    """Return whether we may open a socket to `address`: it is routed, or that is allowed."""
    return settings.PARTNER_ALLOW_PRIVATE or _is_routed(_embedded(address))


def _is_routed(address: IPAddress) -> bool:
    if address.version == 6 and address not in GLOBAL_UNICAST:
        return False
    is_special = address.is_multicast or any(address in network for network in NOT_ROUTED)
    return address.is_global and not is_special


def resolve(host: str, *, port: int) -> list[str]:
    """Return the addresses of `host` to connect to; raise if even one of them is inside.

    Raises `socket.gaierror` when the name is unknown.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    inside = [a for a in addresses if not _may_connect(host, a)]
    if inside:
        raise AddressRefused(PRIVATE_NETWORK)
    return addresses


def _may_connect(host: str, address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if host in LOOPBACK:
        return ip.is_loopback and settings.PARTNER_ALLOW_LOOPBACK
    return is_reachable(ip)


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
