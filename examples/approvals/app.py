"""The server of the page and its chats."""

import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

from ag_ui.core import CustomEvent
from ag_ui.encoder import EventEncoder
from pydantic import BaseModel, StrictBool, ValidationError
from pydantic_ai import UserError
from pydantic_ai.models import Model
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from examples.approvals.ag_ui import AGUITurn
from examples.approvals.answers import Refused
from examples.approvals.chats import Chats
from examples.approvals.clerk import clerk
from examples.approvals.conversations import Conversations
from examples.approvals.shop import Shop
from examples.approvals.turn import Turn
from examples.approvals.vercel_ai import VercelTurn
from toolscript import SqliteStore

PAGE = Path(__file__).parent / 'page'
# Tool results and user input are only shown as text; if they become more by mistake, the browser does not run them.
# Other pages cannot show this one in a frame, where a user might approve what they do not see.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def create_app(model: Model, folder: Path, ttl: timedelta = timedelta(days=7)) -> Starlette:
    """Return the server.

    Args:
        model: The model that answers.
        folder: The folder for the shop, the chats and the paused scripts. A later server on the same folder continues
            where this one stopped.
        ttl: How long a script may wait for a decision.
    """

    folder.mkdir(parents=True, exist_ok=True)

    @asynccontextmanager
    async def opened(app: Starlette) -> AsyncGenerator[None]:
        chats = Chats(folder / 'chats.db')
        async with SqliteStore(folder / 'scripts.db') as store:
            agent = clerk(model, store, _key(folder / 'key'), ttl)
            app.state.conversations = Conversations(agent, Shop.open(folder / 'shop.db'), chats)
            try:
                yield
            finally:
                await app.state.conversations.close()
                chats.close()

    return Starlette(
        routes=[
            Route('/', _page),
            Route('/ag-ui', partial(_take, AGUITurn.read), methods=['POST']),
            Route('/vercel-ai', partial(_take, VercelTurn.read), methods=['POST']),
            Route('/chats/{chat_id}', _chat),
            Route('/chats/{chat_id}/undo', _undo, methods=['POST']),
            Mount('/page', StaticFiles(directory=PAGE)),
        ],
        # Other host names would let a foreign page reach this server under its own name.
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=['localhost', '127.0.0.1'])],
        lifespan=opened,
    )


async def _page(request: Request) -> Response:
    return FileResponse(PAGE / 'index.html', headers={'Content-Security-Policy': POLICY})


async def _chat(request: Request) -> Response:
    """Stream all frames of a chat, new ones while it runs, and finally the possible next step."""
    conversations: Conversations = request.app.state.conversations
    chat_id: str = request.path_params['chat_id']

    async def frames() -> AsyncGenerator[str]:
        async for frame in conversations.follow(chat_id):
            yield frame
        yield EventEncoder().encode(CustomEvent(name='chat.state', value={'next': conversations.next_step(chat_id)}))

    return StreamingResponse(frames(), media_type='text/event-stream')


async def _undo(request: Request) -> Response:
    """Return the changes of a chat's scripts, a line of text for each call; undo them if requested."""
    if not _is_json(request):
        return PlainTextResponse('Send application/json.', status_code=415)
    conversations: Conversations = request.app.state.conversations
    try:
        body = _UndoBody.model_validate_json(await request.body())
        report = await conversations.undo(request.path_params['chat_id'], commit=body.commit, seen=body.seen)
    except ValidationError as error:
        return PlainTextResponse(f'Say commit: true or false: {error}', status_code=422)
    except (Refused, UserError) as refused:
        return PlainTextResponse(str(refused), status_code=409)
    return JSONResponse([{'text': call.render(), 'status': call.status} for call in report.calls])


class _UndoBody(BaseModel):
    commit: StrictBool
    seen: list[str] | None = None
    """The lines that the page shows."""


def _is_json(request: Request) -> bool:
    # Foreign pages can send other types without a preflight request, and could approve anything.
    return request.headers.get('content-type', '').partition(';')[0].strip() == 'application/json'


async def _take(read: Callable[[bytes], Turn], request: Request) -> Response:
    """Start the run of a turn, read in its protocol, and stream its frames."""
    if not _is_json(request):
        return PlainTextResponse('Send application/json.', status_code=415)
    conversations: Conversations = request.app.state.conversations
    try:
        frames = conversations.start(read(await request.body()))
    except ValidationError as error:
        return PlainTextResponse(f'This is no request of the protocol: {error}', status_code=422)
    except Refused as refused:
        return PlainTextResponse(str(refused), status_code=409)
    return StreamingResponse(frames, media_type='text/event-stream')


def _key(file: Path) -> str:
    """Return the secret in the file, creating it if there is none."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_hex(32))
    return file.read_text()
