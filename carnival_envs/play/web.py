"""The page on which a game is played or watched: a small server for the person at this machine.

It listens on the loopback interface alone, and every address begins with a token that only the starting terminal shows.
All that it answers with comes from the view of one seat.

=======  ==========================  ==================================================================
GET      ``/TOKEN/``                 the page
GET      ``/TOKEN/state``            the moment: whose turn, legal moves, log, result
GET      ``/TOKEN/picture``          the table as SVG: ``?moment=3&theme=dark``
GET      ``/TOKEN/hint``             what a policy thinks of the legal moves
POST     ``/TOKEN/move``             ``{"action": "roll", "moment": 3}``; the new moment
POST     ``/TOKEN/undo``             ``{"moment": 4}``; the new moment
=======  ==========================  ==================================================================

An illegal move is answered with 422 and the legal ones, one that was meant for an earlier moment with 409 and the
current one, anything malformed with 400.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final

from carnival_envs.core.drawing import THEMES
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.options import is_integer, refuse
from carnival_envs.play.hints import DEFAULT_HINTS
from carnival_envs.play.session import Session, StaleMoveError
from carnival_envs.play.watching import Watching

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Mount, Route
except ImportError as error:
    raise ImportError('the page needs the extra "web": pip install "carnival-envs[web]"') from error

HOST: Final = "127.0.0.1"
HOSTS: Final = ["127.0.0.1", "localhost"]
"""What the browser may have called this machine; another name would be somebody else's page."""

TOKEN_BYTES: Final = 16
LONGEST_REQUEST: Final = 4096
"""Bytes of the body of a request."""

MOST_DIGITS: Final = 9
LAST_PORT: Final = 65535

BAD_REQUEST, CONFLICT, TOO_LARGE, UNSUPPORTED, ILLEGAL = 400, 409, 413, 415, 422

PAGE: Final = {
    "": ("index.html", "text/html"),
    "style.css": ("style.css", "text/css"),
    "page.js": ("page.js", "text/javascript"),
}
"""Address to file and type of what the page consists of."""

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Table = Session | Watching


class RequestError(ValueError):
    """A request that can't be served.

    Attributes:
        status: the status of the answer.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def new_token() -> str:
    """A word that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def serve(table: Table, *, port: int = 0, hints: str = DEFAULT_HINTS, on_start: Callable[[str], None] = print) -> None:
    """Serve a game until the process is interrupted.

    Args:
        table: the game.
        port: of the loopback interface; 0 takes a free one.
        hints: the spec of the policy that gives hints.
        on_start: is told the address, when it can be opened.

    Raises:
        OSError: the port is taken.
        ValueError: no such port.
    """
    if not is_integer(port) or not 0 <= port <= LAST_PORT:
        refuse("port", port, f"an integer in 0..{LAST_PORT}")
    token = new_token()
    config = uvicorn.Config(make_app(table, token, hints=hints), host=HOST, port=port, log_level="warning")
    listener = socket.create_server((HOST, port))
    on_start(f"http://{HOST}:{listener.getsockname()[1]}/{token}/")
    uvicorn.Server(config).run(sockets=[listener])


def make_app(table: Table, token: str, *, hints: str = DEFAULT_HINTS) -> Starlette:
    """The server's application.

    Args:
        table: the game.
        token: the first part of every address.
        hints: the spec of the policy that gives hints.
    """
    page = Page(table, hints)
    routes = [Route(f"/{path}", page_file(*file)) for path, file in PAGE.items()]
    routes += [
        Route("/state", page.answer(page.state)),
        Route("/picture", page.answer(page.picture)),
    ]
    if isinstance(table, Session):
        routes += [
            Route("/hint", page.answer(page.hint)),
            Route("/move", page.answer(page.move), methods=["POST"]),
            Route("/undo", page.answer(page.undo), methods=["POST"]),
        ]
    guard = Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False)
    return Starlette(routes=[Mount(f"/{token}", routes=routes)], middleware=[guard])


def page_file(name: str, media_type: str) -> Callable[[Request], Response]:
    """Serves a file of the page."""
    content = files("carnival_envs.play").joinpath("page", name).read_bytes()
    return lambda _request: Response(content, media_type=media_type, headers=HEADERS)


Answer = Callable[[dict[str, Any]], Response]


class Page:
    """What the requests are answered with. One request at a time is at the table."""

    def __init__(self, table: Table, hints: str) -> None:
        """The page of a game."""
        self._table = table
        self._hints = hints
        self._lock = threading.Lock()

    def answer(self, make: Answer) -> Callable[[Request], Any]:
        """The endpoint that answers with what ``make`` says to the request's content, and with errors as JSON."""

        def locked(content: dict[str, Any]) -> Response:
            with self._lock:
                try:
                    return make(content)
                except StaleMoveError as error:
                    return failure(CONFLICT, error, state=self._describe())

        async def endpoint(request: Request) -> Response:
            try:
                content = await content_of(request)
                response = await run_in_threadpool(locked, content)
            except IllegalActionError as error:
                return failure(ILLEGAL, error, legal=list(error.legal))
            except RequestError as error:
                return failure(error.status, error)
            except ValueError as error:
                return failure(BAD_REQUEST, error)
            return response

        return endpoint

    def state(self, _content: dict[str, Any]) -> Response:
        """The moment."""
        return JSONResponse(self._describe(), headers=HEADERS)

    def picture(self, content: dict[str, Any]) -> Response:
        """The table as an SVG picture."""
        moment = integer(content, "moment", self._table.num_moves)
        svg = self._table.draw(moment, content.get("theme", next(iter(THEMES))))
        return Response(svg, media_type="image/svg+xml", headers=HEADERS)

    def hint(self, _content: dict[str, Any]) -> Response:
        """What a policy thinks of the legal moves."""
        session = self._session()
        return JSONResponse(
            {
                "policy": self._hints,
                "moment": session.num_moves,
                "hints": [{"words": one.words, "share": one.share} for one in session.hint(self._hints)],
            },
            headers=HEADERS,
        )

    def move(self, content: dict[str, Any]) -> Response:
        """Make a move."""
        action = content.get("action")
        if not isinstance(action, str):
            refuse("action", action, "the string of an action")
        self._session().play(action, integer(content, "moment"))
        return self.state(content)

    def undo(self, content: dict[str, Any]) -> Response:
        """Take the last move back."""
        self._session().undo(integer(content, "moment"))
        return self.state(content)

    def _session(self) -> Session:
        assert isinstance(self._table, Session)
        return self._table

    def _describe(self) -> dict[str, Any]:
        """The moment, as JSON."""
        table = self._table
        described = {
            "title": table.game.definition.title,
            "seat": table.seat,
            "players": list(table.players),
            "moment": table.num_moves,
            "log": [{"seat": one.seat, "words": one.words} for one in table.log()],
            "result": table.result(),
            "can_play": isinstance(table, Session),
            "can_undo": False,
            "groups": [],
        }
        if isinstance(table, Session):
            described["can_undo"] = table.can_undo()
            described["groups"] = [
                {
                    "heading": group.heading,
                    "moves": [{"action": move.string, "choice": move.choice} for move in group.moves],
                }
                for group in table.groups()
            ]
        return described


async def content_of(request: Request) -> dict[str, Any]:
    """What a request says: the query of a GET, the JSON object of a POST.

    Raises:
        RequestError: not JSON by its own word, which keeps other sites' forms out; too long; or no object.
    """
    if request.method != "POST":
        return dict(request.query_params)
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RequestError(UNSUPPORTED, "content-type: application/json is expected")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_REQUEST:
            raise RequestError(TOO_LARGE, f"body: at most {LONGEST_REQUEST} bytes are allowed")
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(BAD_REQUEST, f"body: not JSON: {error}") from error
    if not isinstance(content, dict):
        raise RequestError(BAD_REQUEST, "body: a JSON object is expected")
    return content


def integer(content: dict[str, Any], name: str, default: int | None = None) -> int:
    """An entry that is an integer, or in a query the digits of one.

    Raises:
        ValueError: it is none, or missing without a default.
    """
    value: Any = content.get(name, default)
    if isinstance(value, str) and value.isdecimal() and len(value) <= MOST_DIGITS:
        return int(value)
    if not is_integer(value):
        refuse(name, value, "an integer")
    return int(value)


def failure(status: int, error: Exception, **more: Any) -> Response:
    """The answer to a request that can't be served."""
    return JSONResponse({"error": str(error), **more}, status_code=status, headers=HEADERS)
