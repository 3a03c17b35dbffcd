"""Figures: `underglow simulate` and `underglow bench`."""

from __future__ import annotations

from typing import Annotated

import typer

from underglow import games, profile
from underglow import simulate as simulation
from underglow.bench.emulator import NoEmulator
from underglow.bots import BOTS
from underglow.cli.terminal import EXIT_FAILED, BoardOption, JsonOption, ProfileOption, sentences

benchmarks = typer.Typer(no_args_is_help=True, help="Measure. A table in a terminal, with --json one JSON value.")


def simulate(
    scenario: Annotated[str, typer.Argument(help="A scenario's name, or a TOML file.")],
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The seed of chance.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes; the result is the same for any.")] = 1,
    bots: Annotated[
        list[str] | None, typer.Option("--bot", help=f"Who plays, seat by seat in turn: {', '.join(BOTS)}.")
    ] = None,
    seats: Annotated[
        list[int] | None, typer.Option(help="How many play, game by game in turn; if not given, every number that may.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Whose scenario it is, where its name does not say.")] = None,
    first: Annotated[int, typer.Option(min=0, help="The first game's index: to play some of them again.")] = 0,
    limit: Annotated[int, typer.Option(min=1, help="How many steps make a game endless.")] = simulation.LIMIT,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games; exit code 1 if any raised, never ended, or got stuck."""
    with sentences():
        setting = simulation.Setting(
            *games.find(scenario, game), seed, tuple(bots or ("random",)), tuple(seats or ()), limit
        )
        try:
            report = simulation.simulate(setting, count, jobs, first)
        except ValueError as error:  # what a game raises is in the report
            raise typer.BadParameter(str(error)) from None
    simulation.show(report, as_json)
    raise typer.Exit(EXIT_FAILED if report.failures else 0)


@benchmarks.command()
def latency(
    board: BoardOption = "vm",
    touches: Annotated[int, typer.Option(min=1, help="How many touches.")] = 500,
    as_json: JsonOption = False,
) -> None:
    """Touch to event, touch to light, and the link's round trip, on the simulated board with a real game."""
    from underglow.bench import latency as measure

    if board != "vm":
        raise typer.BadParameter("hands can be timed on the simulated board only: vm", param_hint="--board")
    with sentences():
        figures = measure.measure(touches)
    measure.show(figures, as_json)


@benchmarks.command()
def faults(
    frames: Annotated[int, typer.Option(min=0, help="How many frames on a line that spoils 2 % of them.")] = 100_000,
    replugs: Annotated[int, typer.Option(min=0, help="How many times the cable is pulled.")] = 20,
    kills: Annotated[int, typer.Option(min=0, help="How many playing programs are killed, by kill -9.")] = 20,
    seed: Annotated[int, typer.Option(help="What the faults are drawn from.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """What is lost, doubled or late on a line under fire, after replugs, and after kills. Exit code 1: something is."""
    from underglow.bench import faults as measure

    with sentences():
        figures = measure.measure(frames, replugs, kills, seed)
    measure.show(figures, as_json)
    raise typer.Exit(0 if figures.good else EXIT_FAILED)


@benchmarks.command()
def chip(
    touches: Annotated[int, typer.Option(min=1, help="How many touches.")] = 100,
    profile_name: ProfileOption = "hex48",
    as_json: JsonOption = False,
) -> None:
    """The same on an emulated RP2040, in the chip's own time: as emulated, and on a CPU 1.7 times as slow."""
    with sentences():
        board = profile.load(profile_name)
        try:
            from underglow.bench import chip_figures as measure
        except ModuleNotFoundError:
            raise NoEmulator("there is no emulator here; install it with  pip install 'underglow[chip]'") from None
        emulated, bound = measure.measure(board, touches), measure.measure(board, touches, measure.BOUND)
    measure.show(board, emulated, bound, as_json)


@benchmarks.command()
def rules(as_json: JsonOption = False) -> None:
    """Random play of every scenario against random legal chess: the speed of the rules, on one core."""
    from underglow.bench import rules as measure

    with sentences():
        paces = measure.measure()
    measure.show(paces, as_json)


@benchmarks.command()
def fuzz(
    reader: Annotated[
        list[str] | None, typer.Option(help="Which: wire, journal, profile, scenario; if not given, all of them.")
    ] = None,
    inputs: Annotated[int, typer.Option(min=1, help="How many inputs each gets.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of chance.")] = 0,
    first: Annotated[int, typer.Option(min=0, help="The first input's index: to make one again.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes; the result is the same for any.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Feed the readers of wire, journals, profiles and scenarios with damaged input; exit code 1 if any crashed."""
    from underglow.bench import fuzz as measure

    if unknown := set(reader or ()).difference(measure.READERS):
        raise typer.BadParameter(f"there is no reader {unknown.pop()!r}", param_hint="--reader")
    with sentences():
        tallies = [measure.measure(name, inputs, seed, jobs, first) for name in reader or measure.READERS]
    measure.show(tallies, as_json)
    raise typer.Exit(EXIT_FAILED if any(tally.crashes for tally in tallies) else 0)


@benchmarks.command()
def soak(
    touches: Annotated[int, typer.Option(min=100, help="How many touches.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of chance.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Touch the simulated board without rest, with faults of all kinds: does memory grow? Exit code 1 if wrong."""
    from underglow.bench import soak as measure

    with sentences():
        figures = measure.measure(touches, seed)
    measure.show(figures, as_json)
    raise typer.Exit(EXIT_FAILED if figures.wrong else 0)


@benchmarks.command()
def crowd(
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")] = 5,
    touches: Annotated[int, typer.Option(min=20, help="How many touches in each part of a round.")] = 100,
    most: Annotated[float, typer.Option(min=1, help="By how much longer it may take with a crowd, at p95.")] = 1.2,
    as_json: JsonOption = False,
) -> None:
    """Touch to light with 200 sockets and 1,000 messages a second of junk, and without. Exit code 1: it is delayed."""
    from underglow.bench import crowd as measure

    with sentences():
        figures = measure.measure(rounds, touches)
    measure.show(figures, as_json)
    raise typer.Exit(0 if figures.ratio <= most else EXIT_FAILED)


@benchmarks.command()
def attract(
    count: Annotated[int, typer.Option("--games", min=20, help="How many games.")] = 500,
    page: Annotated[bool, typer.Option("--page", help="With the page open in Chromium; takes 4 s a game.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Attract mode with the clock sped up, game after game: does memory grow? Exit code 1 if it does."""
    from underglow.bench import attract as measure

    with sentences():
        try:
            figures = measure.measure(count, page=page)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--games") from None
    measure.show(figures, as_json)
    raise typer.Exit(0 if figures.flat else EXIT_FAILED)


@benchmarks.command(name="explain")
def explain_positions(
    positions: Annotated[int, typer.Option(min=1, help="How many positions.")] = 20_000,
    as_json: JsonOption = False,
) -> None:
    """What hands did, worked out on a crowded board of 64 spaces: how long a position takes."""
    from underglow.bench import explain as measure

    measure.show(measure.measure(positions), as_json)
