"""The keeper: obeys the attendant with real tables, journals, a link and pages; one loop, on one thread."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from underglow import games, themes, unfinished, wire
from underglow import journal as journals
from underglow.bench.vm import Bench
from underglow.bots import BOTS
from underglow.games.contract import Cue, Game, Meaning, Scenario
from underglow.history import History
from underglow.journal import Header, Journal, JournalError
from underglow.kiosk import disk
from underglow.kiosk.attendant import Attendance, Attendant, Begin, Fault, GoOn, Kept, Offer, Order, Phase, Safe
from underglow.kiosk.attract import Attract, Unwritten
from underglow.kiosk.counters import Counters
from underglow.kiosk.faces import TableFace
from underglow.kiosk.office import Door, Office
from underglow.kiosk.pin import PIN, Pin
from underglow.kiosk.posts import Posts
from underglow.kiosk.server import Kiosk
from underglow.kiosk.service import Service
from underglow.kiosk.showing import Demo, NoTable, Played
from underglow.kiosk.staff import Staff
from underglow.languages import say
from underglow.link import Down, Happening, Link
from underglow.overlay import standing
from underglow.profile import Board
from underglow.rng import Rng
from underglow.session import BoardFault, Occupied, Pressed, Tagged, Up
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.unfinished import Wanted

log = logging.getLogger(__name__)

LOOK_S = 0.2
"""The clock is looked at so often, whatever happens."""

BEAT_S = 2.0
"""Between two words to the watchdog."""

SAVE_S = 60.0
"""Between two writes of the counters."""

JOURNALS = 300
"""So many are kept; older ones are deleted when a game begins."""

_WELCOME = Cue(Meaning.CALM, 60)
_SAFE = Cue(Meaning.DISRUPTED, 90)


@dataclass(slots=True)
class Round:
    """A game on the table, and since when; `attract` plays it, or people do and `journal` holds it."""

    offer: Offer
    game: Game[Any, Any]
    overlay: Mapping[str, str]
    table: Table
    began_s: float
    attract: Attract | None = None
    journal: Journal | None = None


@dataclass(frozen=True, slots=True)
class Equipment:
    """What a table has: its board and link, its looks, the simulated board if it is one, the folder of journals."""

    board: Board
    link: Link
    theme: str
    set_up: SetUp
    folder: Path
    bench: Bench | None = None
    bot: str = "greedy"


class Keeper:
    """Keeps a table going until `stop`, or until it is time to start afresh. `now_s` is the link's clock."""

    def __init__(
        self,
        equipment: Equipment,
        attendant: Attendant,
        counters: Counters,
        service: Service,
        now_s: Callable[[], float] = time.monotonic,
        chance: Rng | None = None,
    ) -> None:
        self._has = equipment
        self._attendant = attendant
        self._counters = counters
        self._service = service
        self._now_s = now_s
        self._rng = chance or Rng(secrets.randbits(63))
        self.link = equipment.link
        """For the keeper's thread, but for its figures."""
        self.posts = Posts(counters, self.link.wake)
        """What pages ask; anybody else may, too."""
        folder = equipment.folder
        self._staff = Staff(equipment.board, self.link, equipment.theme, folder, counters, restarts=service.listens)
        office = Office(Pin(folder / PIN, time.monotonic), folder, self._staff)
        self.kiosk = Kiosk(equipment.board, NoTable(), equipment.bench, self.posts, office)
        self._round: Round | None = None
        self._over = False
        self._up: Up | None = None
        self._glows = _WELCOME
        self._door = Door.SHUT
        self._felt: dict[type[Happening], Happening] = {}  # what the board said last, of each kind
        self._told: Attendance | None = None
        self._turns = 0
        self._beat_s = self._save_s = 0.0
        self._games = 0
        self._loaded: dict[Offer, tuple[Game[Any, Any], Scenario]] = {}
        self._stopping = threading.Event()

    @property
    def table(self) -> Table:
        """The table, while there is a game on it. AttributeError: there is none."""
        on = self._round
        if on is None:
            raise AttributeError("nothing is being played")
        return on.table

    def stop(self) -> None:
        """Make `run` return. May be called from any thread."""
        self._stopping.set()
        self.link.wake()

    def run(self) -> None:
        """Keep the table going."""
        self.start()
        try:
            while not self._stopping.is_set():
                self.turn()
        finally:
            self.end()

    def start(self) -> None:
        """Switch the table on."""
        self._counters.add("starts_total")
        now_s = self._now_s()
        self._attendant.board_down(say("{port}: the board does not answer.", port=self.link.port), now_s)
        self._staff.begin(self._attendant)
        self._left_over()
        self._obey(self._attendant.start(now_s))
        self._service.ready()

    def end(self) -> None:
        """Switch it off; a game that is being played is on disk, and will be offered."""
        self._service.stopping()
        self._end_round()
        self._save()

    def turn(self) -> None:
        """Wait for what happens next, and do what it takes."""
        for happening in self.link.wait(self._wait_s()):
            self._hear(happening)
        for asked in self.posts.heard():
            self._obey(asked(self._attendant, self._now_s()))
        self._obey(self._staff.tick(self._attendant, self._now_s()))
        if on := self._round:
            with self._risking(on.offer):
                self._play(on)
        self._obey(self._attendant.tick(self._now_s()))
        self._tell()
        self._turns += 1
        now_s = self._now_s()
        if now_s >= self._beat_s:
            self._beat_s = now_s + BEAT_S
            self._service.alive(self._turns, self.link.moves, self.kiosk.pulses)
            self.kiosk.pulse()
        if now_s >= self._save_s:
            self._save_s = now_s + SAVE_S
            self._counters.put("sensors_stuck", len(self._staff.health.stuck(now_s)))
            self._save()

    def _wait_s(self) -> float:
        if self._round is None:
            return LOOK_S
        attract = self._round.attract
        due_s = attract.due_s - self._now_s() if attract else LOOK_S
        return max(0.0, min(LOOK_S, self._round.table.wait_s(), due_s))

    # --- what happens ---

    def _hear(self, happening: Happening) -> None:
        now_s = self._now_s()
        self._staff.hear(happening, now_s)
        match happening:
            case Up():
                if self._up:
                    self._counters.add("reconnects_total")
                self._up = happening
                self._obey(self._attendant.board_up(now_s))
            case Down(says):
                self._felt.clear()  # what it feels when it is back is no touch
                self._attendant.board_down(says, now_s)
            case Occupied() | Tagged():
                self._feel(happening, now_s)
            case Pressed(wire.STAFF):
                pass  # that is for staff, and no touch
            case Pressed():
                self._obey(self._attendant.touched(now_s))
            case BoardFault():
                self._counters.add("faults_total", kind="sensor")
        on = self._round
        if on and (on.attract is None or isinstance(happening, Up | Down)):
            with self._risking(on.offer):
                on.table.take(happening)

    def _feel(self, happening: Occupied | Tagged, now_s: float) -> None:
        before, self._felt[type(happening)] = self._felt.get(type(happening)), happening
        led = self._has.bench is not None and self._attendant.phase is Phase.ATTRACT  # by us: its hands are on the page
        if before not in (None, happening) and not led:
            self._obey(self._attendant.touched(now_s))

    def _play(self, on: Round) -> None:
        """Do what is due at the table."""
        on.table.tick()
        if on.attract is None:
            self._attendant.ended(self._over, self._now_s())
            return
        steps = on.table.steps
        on.attract.tick(self._now_s())
        if on.table.steps != steps:
            self._lay_out(on)
        if on.attract.over:
            self._counters.add("attract_games_total")
            self._obey(["attract"])

    @contextmanager
    def _risking(self, offer: Offer) -> Generator[None]:
        """Whatever a game or its journal raises costs that game, and not the table."""
        try:
            yield
        except JournalError as error:
            says = say("No game can be written down, so none is played. {why}", why=str(error))
            self._obey(self._attendant.fault(Fault.JOURNAL, says, self._now_s()))
        except Exception as error:
            log.exception("%s of %s broke down", offer.scenario, offer.game, exc_info=error)
            says = say("{game} broke down; it is not offered until the table is started again.", game=offer.title)
            self._obey(self._attendant.broke(offer, says, self._now_s()))

    # --- orders ---

    def _obey(self, orders: list[Order]) -> None:
        for order in orders:
            match order:
                case Begin(offer, seats):
                    with self._risking(offer):
                        self._begin(offer, seats)
                case GoOn(kept):
                    self._go_on(kept)
                case Safe(fault):
                    self._end_round()
                    self._glow(_SAFE)
                    self._counters.add("faults_total", kind=fault.value)
                case "attract":
                    offer = self._attendant.offers[self._games % len(self._attendant.offers)]
                    with self._risking(offer):
                        self._attract(offer)
                case "welcome":
                    self._end_round()
                    self._glow(_WELCOME)
                case "put aside":
                    self._end_round()
                case "look":
                    self._look()
                case "dress":
                    self._dress()
                case "restart":
                    self._stopping.set()

    def _attract(self, offer: Offer) -> None:
        self._end_round()
        seats = offer.seats[self._games // len(self._attendant.offers) % len(offer.seats)]
        self._games += 1
        game, scenario = self._load(offer)
        deal, self._rng = self._rng.word()
        choices, self._rng = self._rng.word()
        history = History(game, game.setup(scenario, seats, Rng(deal)), seats)
        on = self._sit(offer, game, scenario, history, None)
        on.attract = Attract(game, on.table, BOTS[self._has.bot], Rng(choices), self._now_s())
        self._attendant.next_round()
        self._lay_out(on)
        self._show(on, Demo(on.table))

    def _begin(self, offer: Offer, seats: int) -> None:
        self._end_round()
        game, scenario = self._load(offer)
        seed, self._rng = self._rng.word()
        header = Header.of(offer.game, scenario, seats, seed, self._has.board)
        history = History(game, game.setup(scenario, seats, Rng(seed)), seats)
        self._prune()
        self._counters.add("games_begun_total", game=offer.game, scenario=offer.scenario)
        self._seat(offer, game, scenario, history, Journal.create(journals.fresh(self._has.folder), header))

    def _go_on(self, kept: Kept) -> None:
        self._end_round()
        now_s = self._now_s()
        try:
            offer, game, scenario, journal, history = self._reopened(kept.journal)
        except Exception:
            log.exception("%s can't be gone on with", kept.journal)
            self._obey(self._attendant.leave(now_s))
            return
        with self._risking(offer):
            self._counters.add("games_resumed_total", game=offer.game, scenario=offer.scenario)
            self._seat(offer, game, scenario, history, journal)

    def _seat(self, offer: Offer, game: Game[Any, Any], scenario: Scenario, history: History, journal: Journal) -> None:
        """Let people play."""
        try:
            on = self._sit(offer, game, scenario, history, journal)
        except BaseException:
            journal.close()
            raise
        if self._has.bench:
            self._lay_out(on)
            on.table.settle()
        else:
            for happening in self._felt.values():
                on.table.take(happening)
        self._show(on, Played(on.table, history.seats))

    def _sit(
        self, offer: Offer, game: Game[Any, Any], scenario: Scenario, history: History, journal: Journal | None
    ) -> Round:
        has = self._has
        set_up = has.set_up if journal else SetUp(has.set_up.physical, has.set_up.magnets)  # bots hold no tags
        book = journal or Unwritten()
        theme, deaf = self._staff.theme, self._staff.deaf
        table = Table(game, scenario, history, has.board, has.link, book, theme, set_up, self._now_s, deaf)
        if self._up:
            table.take(self._up)
        return Round(offer, game, scenario.overlay(has.board.name), table, self._now_s(), journal=journal)

    def _show(self, on: Round, face: TableFace) -> None:
        self._round = on
        self.kiosk.turn_to(face)
        on.table.watch(self._watch)

    def _watch(self, snapshot: Snapshot) -> None:
        self._over = snapshot["outcome"] is not None
        self.kiosk.publish(snapshot)

    def _end_round(self) -> None:
        """Clear the table. A game of people that is not over is kept."""
        on, self._round = self._round, None
        if on is None or on.journal is None:
            return
        on.journal.close()
        now_s = self._now_s()
        outcome = on.game.outcome(on.table.state)
        ended = "put_aside" if outcome is None else "won" if outcome.winners else "lost"
        self._counters.add("games_ended_total", game=on.offer.game, scenario=on.offer.scenario, outcome=ended)
        self._counters.add("game_seconds_total", now_s - on.began_s)
        self._counters.add("game_steps_total", on.table.steps)
        if outcome is None and on.table.steps:
            self._attendant.keep(Kept(on.journal.path, on.offer.title, on.table.steps), now_s)

    def _glow(self, cue: Cue) -> None:
        """Light every space alike: there is no game on the board."""
        self._glows = cue
        cues = dict.fromkeys((space.id for space in self._has.board.spaces), cue)
        self.link.show(themes.picture(self._staff.theme, cues, self._has.board))

    def _dress(self) -> None:
        """Let what staff settled be seen at once."""
        if on := self._round:
            with self._risking(on.offer):
                self._staff.dress(on.table)
        else:
            self._glow(self._glows)

    def _lay_out(self, on: Round) -> None:
        """Set the simulated board's magnets where they belong; on a real one, hands do."""
        bench = self._has.bench
        if bench is None:
            return
        where = {
            token: space
            for space, tokens in standing(on.game, on.table.state, on.overlay, self._has.set_up).items()
            for token in tokens
        }
        now = bench.magnets()
        for token in now.keys() - where.keys():
            bench.lift(token)
        for token, space in where.items():
            if now.get(token) != space:
                bench.place(space, token)

    def _look(self) -> None:
        """Look whether the disk takes a journal again."""
        if not disk.refuses(self._has.folder):
            self._obey(self._attendant.mended(Fault.JOURNAL, self._now_s()))

    # --- what lies on the disk ---

    def _left_over(self) -> None:
        """Offer the game that was being played when this program ended last, if that was a moment ago."""
        for path in journals.latest(self._has.folder)[:1]:
            age_s = time.time() - max(file.stat().st_mtime for file in path.parent.glob(path.name + "*"))
            try:
                offer, _, _, journal, history = self._reopened(path)
            except Exception as error:  # whatever is wrong with it, the table starts
                log.info("%s is not offered: %s", path, error)
                continue
            journal.close()
            if history.played and age_s < self._attendant.keep_s:
                self._attendant.keep(Kept(path, offer.title, len(history.played)), self._now_s(), age_s=age_s)

    def _reopened(self, path: Path) -> tuple[Offer, Game[Any, Any], Scenario, Journal, History]:
        """An unfinished game from its journal; raises whatever is wrong with it."""
        journal = Journal.open(path)
        journal.close()
        was = journal.header
        offer = next((o for o in self._attendant.every if (o.game, o.scenario) == (was.game, was.scenario)), None)
        if offer is None:
            raise LookupError(f"{path}: {was.scenario} is not offered here")
        game, scenario = self._load(offer)
        header = Header.of(was.game, scenario, was.seats, was.seed, self._has.board)
        journal, history = unfinished.at(path, Wanted(game, scenario, header, seeded=True))
        return offer, game, scenario, journal.mend(), history

    def _prune(self) -> None:
        """Delete the oldest journals: a year of games must not fill the disk."""
        for path in journals.latest(self._has.folder)[JOURNALS:]:
            for file in path.parent.glob(path.name + "*"):
                file.unlink(missing_ok=True)

    def _save(self) -> None:
        try:
            self._counters.save()
        except OSError as error:
            log.warning("the counters can't be written: %s", error)

    def _tell(self) -> None:
        told = self._attendant.told(self._now_s())
        if told != self._told:
            self._told = told
            self.kiosk.attend(told)
        door = self._staff.door(self._attendant, self._now_s())
        if door is not self._door:
            self._door = door
            self.kiosk.show_door(door)
        for kind, value in self._staff.news(self._attendant, self._now_s()):
            self.kiosk.tell_staff(kind, value)

    def _load(self, offer: Offer) -> tuple[Game[Any, Any], Scenario]:
        """Once each: games keep what they have worked out about a scenario as long as it is there."""
        if offer not in self._loaded:
            game = games.load(offer.game)
            self._loaded[offer] = game, game.load(games.scenario_path(offer.game, offer.scenario))
        return self._loaded[offer]
