"""The command line: `underglow` and its commands."""

from __future__ import annotations

import typer

from underglow.cli import bench, boards, kiosk, replay, run

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command()(run.run)
app.command()(kiosk.kiosk)
app.command()(replay.replay)
app.command()(replay.record)
app.add_typer(replay.journals, name="journal")
app.command()(bench.simulate)
app.command()(boards.check)
app.command()(boards.words)
app.command()(boards.flash)
app.command()(boards.image)
app.add_typer(bench.benchmarks, name="bench")
