"""One process of the service. Usage: DATABASE=postgresql://... python -m examples.service NAME PORT."""

import os
import sys

import uvicorn
from dbos import DBOS

from examples.service.app import app


def main(name: str, port: int) -> None:
    """Serve until it is stopped. A process that is started under the name of a dead one continues with its tasks."""
    DBOS(
        config={
            'name': 'service',
            'system_database_url': os.environ['DATABASE'],
            'executor_id': name,
            # What waits continues after a deploy, so the version is that of the workflow, and not of the tools.
            'application_version': 'work 2',
            'log_level': 'ERROR',
        }
    )
    DBOS.launch()
    DBOS.register_queue('tasks', polling_interval_sec=0.1)
    # So many at once in all processes, and in this one.
    in_all, in_one = map(int, os.environ.get('TURNS', '10 5').split())
    DBOS.register_queue('turns', global_concurrency=in_all, worker_concurrency=in_one, polling_interval_sec=0.1)
    uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning', timeout_graceful_shutdown=2)
    DBOS.destroy()


if __name__ == '__main__':
    main(sys.argv[1], int(sys.argv[2]))
