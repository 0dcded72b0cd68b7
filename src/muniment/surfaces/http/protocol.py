"""The server's side of a connection: heads end, and an offer of another protocol is not taken."""

from typing import ClassVar, Final

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from muniment.errors import MalformedBody, MunimentError, TooLarge
from muniment.ports import Ids
from muniment.surfaces.http.problems import problem_response

MAX_HEAD_BYTES: Final = 65_536
_HEAD_TOO_LARGE: Final = 431
_OF_UPGRADES: Final = {b"connection", b"upgrade", b"http2-settings"}


class BoundedProtocol(HttpToolsProtocol):
    """Refuses request lines, headers and trailers that go on and on: the parser keeps them all.

    Some clients offer HTTP/2 with every request. The parser stops at an offer, as if it had been
    taken; here it goes on with the body as if there had been none. What is refused here is answered
    by a problem document as well, and the connection is closed.
    """

    ids: ClassVar[Ids]

    @classmethod
    def numbered_by(cls, ids: Ids) -> type["BoundedProtocol"]:
        """The protocol, with what its answers take their request ids from."""
        return type(cls.__name__, (cls,), {"ids": ids})

    # What came in since a request or a piece of its body began or ended.
    _held = 0
    _moved = False

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        self._moved = False
        try:
            self._feed(data)
        except httptools.HttpParserError:
            self.send_400_response("This is not a request of HTTP/1.1.")
            return
        self._held = 0 if self._moved else self._held + len(data)
        if self._held > MAX_HEAD_BYTES and not self.transport.is_closing():
            limit = f"A request line, and headers, are at most {MAX_HEAD_BYTES} bytes."
            self._refuse(TooLarge(limit), status=_HEAD_TOO_LARGE)

    def send_400_response(self, msg: str) -> None:
        self._refuse(MalformedBody(msg))

    def _refuse(self, error: MunimentError, status: int | None = None) -> None:
        answer = problem_response(error, str(self.ids.new()), status=status)
        head = [b"%s: %s\r\n" % header for header in answer.raw_headers]
        end = [b"connection: close\r\n\r\n", bytes(answer.body)]
        self.transport.write(b"".join([STATUS_LINE[answer.status_code], *head, *end]))
        self.transport.close()

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            method = self.parser.get_method()
            if method == b"CONNECT":
                raise httptools.HttpParserInvalidMethodError from None
            head = [method, b" ", self.url, b" HTTP/1.1\r\n"]
            for name, value in self.headers:
                if name not in _OF_UPGRADES:
                    head += [name, b": ", value, b"\r\n"]
            self.parser = httptools.HttpRequestParser(self)
            self._feed(b"".join([*head, b"\r\n", data[offer.args[0] :]]))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._moved = True

    def on_header(self, name: bytes, value: bytes) -> None:
        # White space around a value is none of it (RFC 9110, 5.5); the parser leaves what follows.
        super().on_header(name, value.strip(b" \t"))

    def on_headers_complete(self) -> None:
        self._moved = True
        if not self.parser.should_upgrade():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._moved = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._moved = True
        if not self.parser.should_upgrade():
            super().on_message_complete()
