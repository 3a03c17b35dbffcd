"""Work on numbered things, spread over processes of our own. None of them outlives whoever asked."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar, cast

S = TypeVar("S")
T = TypeVar("T")

_PIECE = 64  # numbers that a worker gets at once, at most
_PIECES = 16  # and each gets so many pieces, at least: none waits long for the last one to finish


class WorkerGone(RuntimeError):
    """A worker did not come to the end of its piece; the message says which."""


def spread(work: Callable[[S, range], Iterable[T]], setting: S, numbers: range, jobs: int) -> Generator[T]:
    """Yield what `work` yields for `setting` and pieces of `numbers`, as it comes.

    `work`, of a module's top level, `setting` and what comes of it are sent between processes (pickled). Close the
    generator to end them early. WorkerGone: one was killed, or `work` raised, which it told stderr. One job is done
    in this process.
    """
    if jobs == 1:
        yield from work(setting, numbers)
        return
    size = max(1, min(_PIECE, len(numbers) // (jobs * _PIECES)))
    pieces = deque(numbers[at : at + size] for at in range(0, len(numbers), size))
    with ExitStack() as stack:
        at_work: dict[Connection, range] = {}
        for _ in range(min(jobs, len(pieces))):
            connection = stack.enter_context(_worker())
            connection.send((work, setting))
            at_work[connection] = _hand_out(pieces, connection)
        while at_work:
            for ready in wait(list(at_work)):
                connection = cast("Connection", ready)
                piece = at_work.pop(connection)
                try:
                    results = cast("tuple[T, ...]", connection.recv())
                    if results:
                        at_work[connection] = piece
                    elif pieces:
                        at_work[connection] = _hand_out(pieces, connection)
                except (EOFError, OSError):
                    raise WorkerGone(f"A worker ended before it was done with {piece[0]} to {piece[-1]}.") from None
                yield from results


def serve(descriptor: int) -> None:
    """Work for the process at the other end of a pipe, until that closes it: a worker's main function.

    Each result is sent at once, so that it does not work on for nobody; an empty tuple ends a piece.
    """
    connection: Connection[Any, Any] = Connection(descriptor)
    with connection:
        try:
            work, setting = connection.recv()
            while True:
                piece = connection.recv()
                for result in work(setting, piece):
                    connection.send((result,))
                connection.send(())
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def _hand_out(pieces: deque[range], connection: Connection) -> range:
    piece = pieces.popleft()
    connection.send(piece)
    return piece


@contextmanager
def _worker() -> Generator[Connection]:
    # Not multiprocessing's Process: it would import the parent's main module again. In a process group of its own, for
    # Ctrl-C in a terminal is meant for us, and we end the worker.
    ours, theirs = cast("tuple[Connection, Connection]", Pipe())
    with ours:
        with theirs:
            worker = subprocess.Popen(
                [sys.executable, "-c", f"from underglow.workers import serve; serve({theirs.fileno()})"],
                pass_fds=[theirs.fileno()],
                process_group=0,
                stdin=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        try:
            yield ours
        finally:
            worker.terminate()
            worker.wait()
