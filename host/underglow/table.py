"""One running game: occupancy → explain → step → journal → cues → lamps, then word to whoever watches."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Protocol

from underglow import themes, wire
from underglow.explain import Did, InHand, Occupancy, Repair, Which
from underglow.games.contract import Action, Cue, Event, Game, IllegalAction, Meaning, Token, Transfer
from underglow.history import Agree, Entry, History, NotNow, Redo, Step, Turning, Undo
from underglow.languages import SILENCE, Text, say
from underglow.link import Down, Happening, Link
from underglow.overlay import by_hand, on_board, place_on, standing
from underglow.profile import Board, space_of
from underglow.prompts import Prompts
from underglow.session import BoardFault, Occupied, Pressed, Reading, Tagged, Up
from underglow.set_up import SetUp
from underglow.snapshot import Choice, Move, Snapshot, understood
from underglow.themes import Theme
from underglow.witness import Moment, TakeBack, Witness

_FLASH_S = 1.5
_IDLE_S = 1.0
_LOG = 100
_LATER = 70  # how strongly a space is shown whose turn comes later
_SILENT = Reading(frozenset(), frozenset(), SILENCE)


class Book(Protocol):
    """What a table writes its game down in: a journal."""

    def record(self, entry: Entry, state: Any, /) -> None:
        """Write one entry, and which state it led to, before anybody sees it."""
        ...


class Table:
    """A game of `scenario` on `board` over `link`, from where its `history` is; `journal` holds all of that.

    Sensors at `deaf` places are not believed. `run` is its one loop; `choose`, `undo`, `agree`, `redo`, `deafen`,
    `view` and `stop` may be called from any thread.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        scenario: Any,
        history: History,
        board: Board,
        link: Link,
        journal: Book,
        theme: Theme,
        set_up: SetUp,
        now_s: Callable[[], float] = time.monotonic,
        deaf: frozenset[str] = frozenset(),
    ) -> None:
        self._game = game
        self._board = board
        self._link = link
        self._journal = journal
        self._theme = theme
        self._set_up = set_up
        self._now_s = now_s
        self._title: Text = scenario.title
        self._overlay: Mapping[str, str] = scenario.overlay(board.name)
        self._places = {there: space for space, there in self._overlay.items()}  # by the board's name
        self._pieces = dict[str, Token](game.tokens(history.state))  # every token ever in play, as it was last
        self._history = history
        self._number = 0  # of what is offered: an index into it means something for that number only
        self._readers = frozenset(place for place in board.readers if space_of(place) in self._places)
        self._pads = frozenset(space.id for space in board.spaces if space.kind == "pad")
        self._deaf = self._deafened = deaf  # places whose sensors are not believed: as considered, as wanted
        self._magnets: frozenset[str] | None = None  # board spaces; None: not heard yet
        self._readings: tuple[Reading, ...] = ()
        self._tags: dict[str, tuple[str, ...]] = {}
        self._on_pads: frozenset[bytes] = frozenset()
        self._witness = Witness(self._ahead, now_s)
        self._now = self._moment(history.state)
        self._ways: dict[str, tuple[str, ...]] = {}  # of tokens that the game moved, by board space
        self._flashes: dict[str, Cue] = {}
        self._flashes_end_s = 0.0
        self._refused = SILENCE
        self._link_state = "connecting"
        self._link_says = SILENCE
        self._faults: dict[str, Text] = {}  # by reader; "" is the board itself
        self._log: deque[Text] = deque(maxlen=_LOG)
        self._log_end = 0
        self._choices: list[Action] = []
        self._shown: int | None = None  # of the choices, the one that Help has come to
        self._wanted: deque[Callable[[], None]] = deque(maxlen=16)
        self._watchers: list[Callable[[Snapshot], None]] = []
        self._stopping = threading.Event()
        self._consider()

    def watch(self, watcher: Callable[[Snapshot], None]) -> None:
        """Call `watcher` with every new snapshot, on the table's thread, after the lamps were sent."""
        self._watchers.append(watcher)
        watcher(self.snapshot())

    @property
    def state(self) -> Any:
        """The game's state: a frozen value."""
        return self._history.state

    @property
    def steps(self) -> int:
        """Steps taken so far, and not taken back."""
        return len(self._history.played)

    def view(self, seat: int | None) -> dict[str, object]:
        """What that seat may know; None is the public."""
        return self._game.view(self.state, seat)

    def choose(self, index: int, number: int) -> None:
        """Choose what snapshot `number` offers under `index`; one that is no longer offered is passed over.

        What hands could have shown, they are led to do.
        """
        self._want(partial(self._take_choice, index, number))

    def undo(self, number: int, seat: int | None = None) -> None:
        """Take the last step of snapshot `number` back, or ask all to agree; passed over if the table moved on.

        Without a seat it is said at the table, by the seat whose step it was; so it is with `redo`, and `agree` is said
        by all who have to.
        """
        self._want(partial(self._turn, Undo, seat, number))

    def agree(self, number: int, seat: int | None = None) -> None:
        """Agree to the undo that snapshot `number` asks for."""
        self._want(partial(self._turn, Agree, seat, number))

    def redo(self, number: int, seat: int | None = None) -> None:
        """Play again what was taken back last, as of snapshot `number`."""
        self._want(partial(self._turn, Redo, seat, number))

    def deafen(self, places: frozenset[str]) -> None:
        """Believe every sensor of the board from now on but those at these places, however many were deaf before.

        Whatever hall switch and reader say there counts neither for nor against anything; what hands cannot show
        without them is offered as a choice.
        """
        self._deafened = places
        self._link.wake()

    def settle(self) -> None:
        """Take the board for laid out as it should be, whatever stands on it; on the table's thread."""
        felt = self._now.feel(self._now.layout)
        self._magnets, self._tags = felt.magnets, dict(felt.tags)
        self._reconsider()
        self._publish()

    def dress(self, theme: Theme) -> None:
        """Show meanings by that theme from now on; on the table's thread."""
        if theme != self._theme:
            self._theme = theme
            self._light()
            self._publish()

    def play(self, action: Action) -> None:
        """Take a legal action, and settle: no hand has to follow. On the table's thread."""
        self._step(action, None)
        self.settle()

    def _want(self, wish: Callable[[], None]) -> None:
        self._wanted.append(wish)
        self._link.wake()

    def stop(self) -> None:
        """Make `run` return."""
        self._stopping.set()
        self._link.wake()

    def run(self) -> None:
        """Referee until `stop`."""
        while not self._stopping.is_set():
            happenings = self._link.wait(self.wait_s())
            for happening in happenings:
                self.take(happening)
            self.tick()

    def wait_s(self) -> float:
        """How long `tick` may wait, if nothing happens."""
        due_s = min(self._witness.due_s, self._flashes_end_s if self._flashes else inf)
        return max(0.0, min(_IDLE_S, due_s - self._now_s()))

    def tick(self) -> None:
        """Do what was chosen, and what is due by the clock."""
        if self._deaf != self._deafened:
            self._heed()
        while self._wanted:
            self._wanted.popleft()()
        now_s = self._now_s()
        waited = now_s >= self._witness.due_s
        faded = bool(self._flashes) and now_s >= self._flashes_end_s
        if faded:
            self._flashes = {}
        if waited:
            self._consider()
        if waited or faded:
            self._light()
            self._publish()

    def take(self, happening: Happening) -> None:
        """One thing the link reports."""
        match happening:
            case Occupied(sensors):
                spaces = self._board.space_of_sensor
                felt = frozenset(spaces[sensor] for sensor in sensors if sensor in spaces)
                self._magnets = felt - self._pads
                self._reconsider()
            case Tagged(readings):
                self._readings = readings
                held = self._read(self._believed())
                self._reconsider()
                self._choose_by(held)
            case Pressed(button):
                self._press(button)
            case Up(firmware):
                self._link_state, self._link_says = "up", say("Board connected, firmware {version}.", version=firmware)
                self._faults.pop("", None)
                self._light()
            case Down(says):
                self._link_state, self._link_says = "down", says
                self._note(says)
            case BoardFault(says):
                self._faults[""] = says
                self._note(says)
        self._publish()

    def _reconsider(self) -> None:
        self._refused = SILENCE
        if self._magnets is not None:
            self._witness.feels(Occupancy(self._magnets - self._deaf, self._tags), self._now)
        self._consider()
        self._light()

    def _heed(self) -> None:
        """Begin to believe other sensors."""
        self._deaf = self._deafened
        self._now = self._moment(self.state)
        self._witness.heed()
        self._read(self._believed())
        self._reconsider()
        self._publish()

    def _believed(self) -> tuple[Reading, ...]:
        """What readers read but for those that are not believed: what one of these disputes with another is there."""
        if not self._deaf:
            return self._readings
        sound = [place not in self._deaf for place in self._board.readers]
        heard = [reading for reading, good in zip(self._readings, sound, strict=False) if good]
        there = frozenset(uid for reading in heard for uid in reading.uids)
        return tuple(
            Reading(reading.uids | (reading.disputed - there), reading.disputed & there, reading.fault)
            if good
            else _SILENT
            for reading, good in zip(self._readings, sound, strict=False)
        )

    def _read(self, readings: tuple[Reading, ...]) -> list[str]:
        """Take what NFC readers read: tokens at their spaces, and one that has come to a pad is named and returned."""
        known = self._set_up.tags
        tokens = self._game.tokens(self.state)
        self._tags = {}
        held, before = set[bytes](), self._on_pads
        for space, reading in zip(self._board.readers, readings, strict=False):
            here = tuple(sorted(known[uid] for uid in reading.uids if uid in known))
            if space in self._readers and here:
                self._tags[space] = here
            if space in self._pads:
                held |= reading.uids
                for uid in sorted(reading.uids - before):
                    there = known.get(uid) in tokens
                    name = tokens[known[uid]].name if there else say("a tag this table does not know")
                    self._note(say("On the pad: {token} ({uid}).", token=name, uid=uid.hex().upper()))
            self._faults.pop(space, None)
            if reading.fault:
                self._faults[space] = say("The reader under {space} {fault}.", space=space, fault=reading.fault)
                self._note(self._faults[space])
            for uid in reading.disputed:
                tag = uid.hex().upper()
                self._note(say("Several readers read {tag}, one under {space}: move them apart.", tag=tag, space=space))
        self._on_pads = frozenset(held)
        return [known[uid] for uid in sorted(held - before) if uid in known]

    def _choose_by(self, held: list[str]) -> None:
        """Choose what names a token held to a pad, if that is one choice and hands cannot do it on the board."""
        for token in held:
            if supposed := self._witness.supposed:  # whoever goes on to the pad has set down what was waited for
                self._step(self._now.legal[supposed], supposed)
            named = [action for action in self._now.unfelt if token in action.args]
            if len(named) == 1 and not self._history.missing:
                self._step(named[0], None)
                self._consider()
                self._light()

    def _press(self, button: int) -> None:
        """Help shows one choice after the other, and Confirm takes it; the only one need not be shown first.

        While an undo is asked for, Confirm agrees to that.
        """
        match button:
            case wire.UNDO:
                self._turn(Undo, None, self._number)
            case wire.CONFIRM if self._history.missing:
                self._turn(Agree, None, self._number)
            case wire.CONFIRM if self._shown is not None or len(self._choices) == 1 or self._witness.put_back:
                self._take_choice(self._shown or 0, self._number)
            case wire.HELP if not self._history.missing and (open_to_all := self._open_to_all()):
                before = -1 if self._shown is None else self._shown
                self._shown = next((index for index in open_to_all if index > before), open_to_all[0])
                self._light()
            case _:
                pass

    def _open_to_all(self) -> list[int]:
        """The choices that everybody may see, by index."""
        shown = [self._game.shown(self.state, action) for action in self._choices]
        return [index for index, cues in enumerate(shown) if cues is not None]

    # --- the game ---

    def _take_choice(self, index: int, number: int) -> None:
        offered = [*self._choices, *self._moves()]
        if number == self._number and 0 <= index < len(offered):
            if supposed := self._witness.supposed:  # that was not there when this was offered
                self._step(self._now.legal[supposed], supposed)
            else:
                self._step(offered[index], None, sent=index >= len(self._choices))
            self._consider()
            self._light()
        self._publish()

    def _consider(self) -> None:
        """Work out what the position means, and take the steps it amounts to."""
        before = self._witness.understood
        while verdict := self._witness.look(self._now):
            if isinstance(verdict, TakeBack):
                if not self._take_back():
                    break
            elif not self._step(self._now.legal[verdict.action], verdict.action):
                break
        now = self._now
        choices = [*now.unfelt]
        match self._witness.understood:
            case InHand(_, actions) | Which(actions):
                choices = [now.legal[action] for action in actions] + choices
            case Repair(perhaps=actions) as wrong if self._witness.laid:
                self._refused = self._refusal(wrong)
                choices = [now.legal[action] for action in actions] + choices
            case _:
                pass
        if self._witness.understood != before:
            self._shown = None
        if choices != self._choices:
            self._choices = choices
            self._renumber()

    def _renumber(self) -> None:
        """What was offered and shown until now is so no more."""
        self._number += 1
        self._shown = None

    def _moves(self) -> dict[Action, str]:
        """What may be done beside the choices, since hands can show it, and the first token that they carry for it."""
        choices, shown = frozenset(self._choices), ((seen.hands, action) for seen, action in self._now.legal.items())
        return {action: hands[0].token for hands, action in shown if hands and action not in choices}

    def _step(self, action: Action, by: Action | None, *, sent: bool = False) -> bool:
        """Take a step; `by` is the action as hands have made it, if they have; tokens are but `sent`: they follow."""
        try:
            history = self._history.step(action)
        except IllegalAction as refusal:
            self._refused = refusal.says
            return False
        self._journal.record(Step.of(action), history.state)
        self._note(self._game.describe(self.state, action))
        before, now = self._now, self._moment(history.state)
        hands = by_hand(action, self._game.tokens(self.state), self._overlay, self._set_up)
        made, still = ((), hands) if sent else (hands, ())
        step = history.played[-1]
        awaited = self._witness.awaited(before)
        self._ways = {token: way for token, way in self._ways.items() if token in awaited}
        self._witness.stepped(by, before, made, now, sealed=step.seals, sent=still)
        for t in still:
            self._extend(t.token, [place for place in (t.source, *t.via, t.target) if place])
        self._stand(history, now)
        self._tell(step.events)
        return True

    def _stand(self, history: History, now: Moment) -> None:
        """Be where the history is now."""
        self._history, self._now = history, now
        self._pieces |= self._game.tokens(history.state)
        self._renumber()
        self._refused = SILENCE

    def _turn(self, kind: type[Turning], seat: int | None, number: int) -> None:
        """Go back or forth in the history, or a step towards it."""
        if number == self._number:
            for one in self._history.askers(kind) if seat is None else (seat,):
                self._enter(kind(one))
            self._consider()
            self._light()
        self._publish()

    def _enter(self, entry: Turning, *, by_hands: bool = False) -> None:
        try:
            history = self._history.then(entry)
        except NotNow as refusal:
            self._refused = refusal.says
            return
        self._journal.record(entry, history.state)
        before, now = self._now, self._moment(history.state)
        if len(history.played) != self.steps:
            if by_hands:
                self._witness.went_back()
            else:
                self._witness.stepped(None, before, (), now, sealed=True)
        self._ways = {}
        self._stand(history, now)
        self._flashes = {}
        self._note(history.news(entry))

    def _take_back(self) -> bool:
        """Take the last step back, for hands meant otherwise; that is a word for it, too, if all are asked already."""
        steps, seat = self.steps, self._history.played[-1].action.seat
        self._enter(Undo(seat) if self._history.agreed is None else Agree(seat), by_hands=True)
        return self.steps < steps

    def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._note(self._game.narrate(self.state, event))
            self._trace(event)
        if outcome := self._game.outcome(self.state):
            self._note(outcome.reason)
        if flashes := self._game.flashes(self.state, events):
            self._flashes = on_board(flashes, self._overlay)
            self._flashes_end_s = self._now_s() + _FLASH_S

    def _trace(self, event: Event) -> None:
        """Keep the way that an event moved a token, for the hand that has to follow it."""
        cues = on_board(self._game.flashes(self.state, (event,)), self._overlay)
        path = [space for space, cue in cues.items() if cue.meaning == Meaning.PATH]
        for token in self._game.tokens(self.state).keys() & event.args if path else ():
            self._extend(token, path)

    def _extend(self, token: str, path: Sequence[str]) -> None:
        """Let a token's way go on by this path; a detour is cut short."""
        way = [*self._ways.get(token, ())]
        for space in path:
            way = [*way[: way.index(space)], space] if space in way else [*way, space]
        self._ways[token] = tuple(way)

    def _note(self, line: Text) -> None:
        if line:
            self._log.append(line)
            self._log_end += 1

    # --- the board ---

    def _light(self) -> None:
        self._link.show(themes.picture(self._theme, self._cues(), self._board))

    def _cues(self) -> Mapping[str, Cue]:
        if self._shown is None:
            return self._of_position()
        cues = self._game.shown(self.state, self._choices[self._shown]) or {}
        others = {place: cue for place, cue in self._of_position().items() if cue.meaning != Meaning.CHOICE}
        return others | on_board(cues, self._overlay)

    def _of_position(self) -> Mapping[str, Cue]:
        """What the board says of the position."""
        match self._witness.understood:
            case Repair() | InHand() if self._witness.lead:
                return self._flashes | self._leading()
            case Repair(extra, missing):
                cues = dict.fromkeys(map(self._lamp, extra), Cue(Meaning.MISPLACED))
                level = 255 if self._witness.laid else _LATER  # one by one, the one that the words name first
                cues |= {self._lamp(place): Cue(Meaning.MISSING, level) for place, _ in missing}
                cues |= {self._lamp(place): Cue(Meaning.MISSING) for place, _ in missing[:1]}
                return self._flashes | cues
            case Which(actions):
                return self._said(()) | dict.fromkeys(map(self._lamp, _apart(actions)), Cue(Meaning.CHOICE))
            case InHand(tokens):
                here = dict.fromkeys(map(self._lamp, self._resting()), Cue(Meaning.READY))
                return self._flashing(self._said(tokens) | here)
            case _:
                return self._flashing(self._said(()))

    def _lamp(self, place: str) -> str:
        """Where to light that place: what hands are to do is seen at the middle of the space if not at its edge."""
        return place if self._board.can_light(place) else space_of(place)

    def _leading(self) -> dict[str, Cue]:
        """What the game moved: the first to follow it with all its way, those after it dimmer."""
        first, *others = self._witness.lead
        cues = {self._lamp(space): Cue(Meaning.PATH) for space in self._ways.get(first.token, ())}
        for errand, level in (*((other, _LATER) for other in reversed(others)), (first, 255)):
            lifted = isinstance(self._witness.understood, InHand) and errand.token in self._witness.understood.tokens
            if errand.source and not lifted:
                cues[self._lamp(errand.source)] = Cue(Meaning.MISPLACED, level)
            if errand.target:
                cues[self._lamp(errand.target)] = Cue(Meaning.MISSING, level)
        return cues

    def _resting(self) -> tuple[str, ...]:
        """Where a token was set down that may be slid on, or something still belongs to an action begun."""
        match self._witness.resting:
            case Did(action):
                return tuple(transfer.target for transfer in action.hands if transfer.target)
            case Which(actions) | InHand(_, _, actions):
                return _apart(actions)
            case _:
                return ()

    def _flashing(self, said: Mapping[str, Cue]) -> Mapping[str, Cue]:
        """Flashes over what else is said, and before it: so a path keeps its order."""
        return self._flashes | {place: cue for place, cue in said.items() if place not in self._flashes}

    def _said(self, lifted: tuple[str, ...]) -> dict[str, Cue]:
        return on_board(self._game.cues(self._asking(lifted), lifted), self._overlay)

    def _asking(self, lifted: tuple[str, ...]) -> Any:
        """The state that says what to do with these tokens."""
        return self._witness.asking(lifted, self._now) if lifted else self.state

    def _moment(self, state: Any) -> Moment:
        tokens = self._game.tokens(state)
        legal = {self._on_board(action, tokens): action for action in self._game.legal(state)}
        layout = standing(self._game, state, self._overlay, self._set_up)
        feel = partial(self._set_up.felt, tokens={**self._pieces, **tokens}, readers=self._readers, deaf=self._deaf)
        return Moment(state, layout, feel, legal, self._game.outcome(state) is not None)

    def _ahead(self, moment: Moment, action: Action) -> Moment:
        return self._moment(self._game.step(moment.state, moment.legal[action])[0])

    def _on_board(self, action: Action, tokens: Mapping[str, Token]) -> Action:
        return replace(action, hands=by_hand(action, tokens, self._overlay, self._set_up))

    # --- those who watch ---

    def snapshot(self) -> Snapshot:
        """The table as it stands."""
        tokens = self._game.tokens(self.state)
        outcome = self._game.outcome(self.state)
        return {
            "number": self._number,
            "steps": self.steps,
            "title": self._title,
            "link": {"state": self._link_state, "says": self._link_says, "port": self._link.port},
            "faults": list(self._faults.values()),
            "turn": sorted({action.seat for action in self._now.legal.values()}),
            "prompt": self._prompt(),
            "understood": understood(self._witness.understood),
            "choices": list(self._offered(self._choices)),
            "moves": list(self._offered_moves()),
            "shown": self._shown,
            "layout": {space: list(here) for space, here in self._now.layout.items()},
            "tokens": {name: {"kind": token.kind, "name": token.name} for name, token in tokens.items()},
            "overlay": dict(self._overlay),
            "lamps": self._link.lamps(),
            "log": list(self._log),
            "log_end": self._log_end,
            "history": self._history.told(),
            "outcome": outcome.reason if outcome else None,
            "winners": list(outcome.winners) if outcome else [],
        }

    def _offered(self, actions: Iterable[Action], first: int = 0) -> Iterator[Choice]:
        layout = self._game.layout(self.state)
        for index, action in enumerate(actions, first):
            yield {
                "index": index,
                "seat": action.seat,
                "text": self._game.describe(self.state, action),
                "verb": action.verb,
                "args": list(action.args),
                "at": self._named(action, layout),
                "open": self._game.shown(self.state, action) is not None,
            }

    def _offered_moves(self) -> Iterator[Move]:
        moves = self._moves()
        for offered, token in zip(self._offered(moves, len(self._choices)), moves.values(), strict=True):
            yield {**offered, "token": token}

    def _named(self, action: Action, layout: Mapping[str, tuple[str, ...]]) -> list[str]:
        """The board spaces that an action names: where hands carry to, else spaces, else where its tokens lie."""
        ends = [place for t in action.hands if (place := t.target or t.source)]
        places = ends or [word for word in map(str, action.args) if word in self._overlay]
        if not places:
            places = [place for place, here in layout.items() if not set(here).isdisjoint(action.args)]
        return list(dict.fromkeys(self._overlay[space_of(place)] for place in places))

    def _publish(self) -> None:
        if self._watchers:
            snapshot = self.snapshot()
            for watcher in self._watchers:
                watcher(snapshot)

    def _prompt(self) -> Text:
        prompts = Prompts(self._places, self._pieces)
        if self._shown is not None:
            text = self._game.describe(self.state, self._choices[self._shown])
            return prompts.choice(text, len(self._open_to_all()) - 1)
        match self._witness.understood:
            case Which() if action := self._witness.put_back:
                return prompts.put_back(self._game.describe(self.state, self._now.legal[action]))
            case Repair(extra) if self._witness.putting_away:
                return say("Tidying up: {n} more to be taken off the board.", n=len(extra))
            case Repair() as wrong if not self._witness.laid:
                return prompts.lay_out(wrong)
            case Repair() | InHand() if self._witness.lead:
                return prompts.lead(self._witness.lead, self._undone())
            case Repair() as wrong:
                return prompts.put_right(wrong, self._refused)
            case _ if self._refused:
                return self._refused
            case InHand(tokens):
                return self._game.prompt(self._asking(tokens), tokens)
            case _:
                return self._history.question() or self._game.prompt(self.state, ())

    def _undone(self) -> tuple[Transfer, ...]:
        """What hands carried by the step that was taken back last, and may be played again."""
        if not self._history.undone:
            return ()
        action = self._history.undone[-1].action
        return by_hand(action, self._pieces, self._overlay, self._set_up)

    def _refusal(self, said: Repair) -> Text:
        """Why the rules refuse what hands seem to have done; "" if they say nothing of it."""
        named = self._places
        for token, source, target in ((stray.token, stray.source, stray.target) for stray in said.strays):
            if target and space_of(target) in named:
                stray = Transfer(token, source and place_on(named, source), place_on(named, target))
                return self._game.refuse(self.state, stray)
        return SILENCE


def _apart(actions: tuple[Action, ...]) -> tuple[str, ...]:
    """The spaces by which actions differ; those of them all if they do not."""
    ways = [{s for t in action.hands for s in (t.source, *t.via, t.target) if s} for action in actions]
    often = Counter(space for way in ways for space in way)
    return tuple(space for space, n in often.items() if n < len(ways)) or tuple(often)
