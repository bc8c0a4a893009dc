"""A line to the site that a test can cut, as a tunnel or a closed laptop would."""

import socket
import threading
from contextlib import suppress

from tests.stack import free_port


class Line:
    """A TCP proxy on a port of its own. `cut` drops all connections and refuses new ones until `mend`.

    `hold` keeps them open and carries nothing, which is how a lost radio link looks to a browser.
    """

    def __init__(self, to_port: int) -> None:
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self._to_port = to_port
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._flowing = threading.Event()
        self._listener: socket.socket | None = None

    def __enter__(self) -> "Line":
        self.mend()
        return self

    def __exit__(self, *exception) -> None:
        self.cut()

    def mend(self) -> None:
        """Carry what comes, from now on."""
        self._flowing.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def hold(self) -> None:
        """Keep connections open, carry nothing."""
        self._flowing.clear()

    def cut(self) -> None:
        """Drop every connection and accept none."""
        if self._listener is not None:
            end(self._listener)
            self._listener = None
        with self._lock:
            for end_of_line in self._sockets:
                end(end_of_line)
            self._sockets.clear()
        self._flowing.set()  # threads that wait find their sockets closed

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):  # cut
            while True:
                near, _ = listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to_port))
                except ConnectionRefusedError:
                    near.close()
                    continue
                with self._lock:
                    self._sockets |= {near, far}
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # either end may be gone at any time
            while data := source.recv(65536):
                self._flowing.wait()
                target.sendall(data)
        for end_of_line in (source, target):
            end(end_of_line)
        with self._lock:
            self._sockets -= {source, target}


def end(connection: socket.socket) -> None:
    """Close a socket so that a thread which waits in it wakes up."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
