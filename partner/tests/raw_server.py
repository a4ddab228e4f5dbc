"""A server on a socket that sends just the bytes it was given, for what no server would send."""

import re
import socket
import ssl
import threading
import time
from contextlib import suppress

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


class RawServer:
    """Answers every request with the same bytes, in pieces, and records what it was sent."""

    def __init__(
        self,
        *pieces: bytes,
        pause: float = 0.0,
        hang_up: bool = True,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.pieces, self.pause, self.hang_up, self.tls = pieces, pause, hang_up, tls
        self.seen: list[bytes] = []
        self.connections = 0
        self.gone = threading.Semaphore(0)  # as often as a connection was ended
        self.socket = socket.create_server(("127.0.0.1", 0))
        scheme = "https" if tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self.socket.getsockname()[1]}/api"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            with suppress(OSError), self._secured(peer) as secured:
                self._talk(secured)
            self.gone.release()

    def _secured(self, peer: socket.socket) -> socket.socket:
        return self.tls.wrap_socket(peer, server_side=True) if self.tls else peer

    def _talk(self, peer: socket.socket) -> None:
        while data := self._request(peer):
            self.seen.append(data)
            try:
                for piece in self.pieces:
                    peer.sendall(piece)
                    time.sleep(self.pause)
            except OSError:
                return
            if self.hang_up:
                return

    def _request(self, peer: socket.socket) -> bytes:
        """Read a whole request, the body included."""
        data = b""
        while more := peer.recv(65536):
            data += more
            head, _, body = data.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.I)
            is_tls = data[:1] == b"\x16"
            if is_tls or b"\r\n\r\n" in data and len(body) >= int(length[1] if length else 0):
                break
        return data

    def close(self) -> None:
        self.socket.close()


def answer(body: bytes, *headers: bytes) -> bytes:
    lines = [b"Content-Length: %d" % len(body), *headers]
    return OK + b"\r\n".join(lines) + b"\r\n\r\n" + body
