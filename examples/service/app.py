"""Tasks and approvals over HTTP. Any process may be asked about any task."""

import uuid

from dbos import DBOS, SetWorkflowID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from examples.service.work import work


async def begin(request: Request) -> JSONResponse:
    """Queue a task; its id."""
    task_id = uuid.uuid4().hex
    with SetWorkflowID(task_id):
        await DBOS.enqueue_workflow_async('tasks', work, (await request.json())['task'])
    return JSONResponse({'id': task_id}, 202)


async def show(request: Request) -> JSONResponse:
    """How far a task is, and what it waits for."""
    task_id = request.path_params['id']
    status = await DBOS.get_workflow_status_async(task_id)
    if status is None:
        return JSONResponse({'error': 'There is no such task.'}, 404)
    if status.status == 'SUCCESS':
        return JSONResponse({'status': 'done', 'answer': status.output})
    if status.status == 'ERROR':
        return JSONResponse({'status': 'failed', 'error': str(status.error)})
    asked = await DBOS.get_event_async(task_id, 'asked', 0)
    if asked is None:
        return JSONResponse({'status': 'running'})
    waits = await DBOS.get_event_async(task_id, f'waits{asked}', 0)
    return JSONResponse({'status': 'waits', 'pause': asked, 'calls': waits})


async def decide(request: Request) -> JSONResponse:
    """Approve or deny what a pause asked for. Said twice, it counts once."""
    said, task_id = await request.json(), request.path_params['id']
    topic = f'decision{int(said["pause"])}'
    await DBOS.send_async(task_id, bool(said['approve']), topic, idempotency_key=f'{task_id} {topic}')
    return JSONResponse({}, 202)


app = Starlette(
    routes=[
        Route('/tasks', begin, methods=['POST']),
        Route('/tasks/{id}', show),
        Route('/tasks/{id}/decisions', decide, methods=['POST']),
    ]
)
