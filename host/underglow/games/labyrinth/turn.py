"""A turn: two actions to spend, and what is free (L-TURN, L-ACT, L-FREE); and how a game is won (L-GOAL-1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from underglow.games.agenda import Choices, Option, choice, replaced
from underglow.games.labyrinth import building, traps
from underglow.games.labyrinth.dice import set_crystal, spend
from underglow.games.labyrinth.draft import character, held, others_at, rule
from underglow.games.labyrinth.effects import possible
from underglow.games.labyrinth.fighting import Fight
from underglow.games.labyrinth.hands import carry, picking
from underglow.games.labyrinth.hurting import key_token, lay_item, refresh
from underglow.games.labyrinth.moving import JumpTest, enter, land
from underglow.games.labyrinth.program import start
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario
from underglow.games.labyrinth.state import ABILITY, EVENT, GOLEM, REPEATED, STEPPED, Lying
from underglow.games.labyrinth.task import Task
from underglow.games.state import Deck

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State

ACTIONS = 2  # L-TURN-1
SAFE, WAKE = 2, 2  # L-ACT-SAFE, L-ACT-CRYSTAL
ITEMS = 2  # L-ITEM-1


def begin(draft: Draft, seat: int) -> None:
    """Begin a seat's turn."""
    draft.seat, draft.actions, draft.used = seat, ACTIONS, 0
    draft.push(Turn())


def won(position: State | Draft) -> bool:
    """Whether the character whose turn it is has a key and is the only one on the centre (L-GOAL-1)."""
    seat, centre = position.seat, position.scenario.centre_place
    if position.players[seat].place != centre or not held(position, seat):
        return False
    if position.scenario.switches.golem_spoils_centre and position.golem == centre:
        return False
    return not others_at(position, seat)


@dataclass(frozen=True, slots=True)
class Turn(Task):
    """The active player spends actions and does what is free, until there is neither."""

    @override
    def run(self, draft: Draft) -> bool:
        if won(draft):
            draft.tell("won", draft.who(draft.seat))
            draft.end("centre", (draft.seat,))
            return False
        if draft.actions or _leisure(draft):
            return True
        _end(draft, self)
        return False

    @override
    def options(self, state: State) -> Choices:
        player, scenario, seat = state.player, state.scenario, state.seat
        if player.daze:
            return Choices(_dazed(state))
        place, maze, used = player.place, state.maze, state.used
        paid = state.actions > 0
        return _choices(
            scenario,
            _Offer(
                seat,
                player.character,
                place,
                state.actions,
                maze.near[place] if paid or free_step(state) else (),
                free_step(state),
                maze.jumps(place) if paid else (),
                tuple([(other, state.players[other].character) for other in others_at(state, seat)]) if paid else (),
                paid and bool(state.pile and maze.open),
                paid and bool(state.pool) and next(traps.places(state, seat), None) is not None,
                paid and not used & GOLEM and _drawable(scenario, state.golem_deck),
                paid and not used & EVENT and _drawable(scenario, state.event_deck),
                state.actions >= WAKE and not player.crystal,
                _within_reach(state),
                player.items,
                _usable(state),
                _abilities(state),
            ),
        )


class _Offer(NamedTuple):
    """All that a turn's choices depend on: the same comes up again and again."""

    seat: int
    character: int
    place: int
    actions: int
    near: tuple[int, ...]
    free_step: bool
    jumps: tuple[int, ...]
    rivals: tuple[tuple[int, int], ...]
    build: bool
    trap: bool
    golem: bool
    event: bool
    wake: bool
    reach: tuple[tuple[bool, int], ...]
    items: tuple[int, ...]
    usable: tuple[int, ...]
    abilities: tuple[int, ...]


def _leisure(position: State | Draft) -> bool:
    """Whether there is anything free to do for who has no action left."""
    if position.player.daze:
        return bool(_usable(position))
    return bool(free_step(position) or _within_reach(position) or _usable(position) or _abilities(position, free=True))


def free_step(position: State | Draft) -> bool:
    """Whether the next step costs nothing: an event may give a second one free."""
    open_ = position.used & (STEPPED | REPEATED) == STEPPED and rule(position) == "second_step_free"
    return open_ and bool(position.maze.near[position.player.place])


def _drawable(scenario: Scenario, deck: Deck) -> bool:
    return bool(deck.draw or (deck.discard and scenario.switches.decks_reshuffle))


def _within_reach(position: State | Draft) -> tuple[tuple[bool, int], ...]:
    """What the active player may pick up: keys but its own (L-GOAL-2), and items; whether it is a key, and which."""
    place, own = position.player.place, position.scenario.start_use[position.seats][position.seat]
    keys = [(True, key) for key, there in enumerate(position.keys) if there == place and key != own]
    items = dict.fromkeys((False, lying.item) for lying in position.lying if lying.place == place)
    if len(position.player.items) >= ITEMS:  # a swap that changes nothing is none
        items = {item: None for item in items if any(other != item[1] for other in position.player.items)}
    return (*keys, *items)


def _usable(position: State | Draft) -> tuple[int, ...]:
    """The items whose use would change something now."""
    player, known = position.player, position.scenario.items
    if not player.items:
        return ()
    when = ("own_turn_even_dazed",) if player.daze else ("own_turn", "own_turn_even_dazed")
    return tuple(
        item
        for item in dict.fromkeys(player.items)
        if known[item].when in when and possible(position, position.seat, known[item].program)
    )


def _abilities(position: State | Draft, *, free: bool = False) -> tuple[int, ...]:
    """The abilities of the active character that can be used now; `free`: only those that cost no action."""
    return tuple(
        number
        for number, ability in enumerate(character(position, position.seat).abilities)
        if ability.program != NONE
        and ability.cost <= (0 if free else position.actions)
        and not position.used & ABILITY << number
        and (position.player.crystal or not ability.crystal)
        and possible(position, position.seat, ability.program)
    )


def _dazed(state: State) -> Iterator[Option]:
    """A dazed character rests, and does nothing else (L-DAZE-1)."""
    if state.actions:
        yield Option(choice(state.seat, "rest"), _rest)
    else:
        yield Option(choice(state.seat, "end_turn"), _end)
    for item in _usable(state):
        yield Option(choice(state.seat, "use", (state.scenario.items[item].id,)), _use, (item,))


@lru_cache(maxsize=1 << 16)
def _choices(scenario: Scenario, offer: _Offer) -> Choices:
    options = [*_paid(scenario, offer), *_free(scenario, offer)]
    if not offer.actions or scenario.switches.unused_actions or not options:  # L-TURN-3
        options.append(Option(choice(offer.seat, "end_turn"), _end))
    return Choices(options)


def _paid(scenario: Scenario, offer: _Offer) -> Iterator[Option]:
    seat, pawn = offer.seat, scenario.characters[offer.character].id
    for place in offer.near:
        yield Option(carry(scenario, seat, "move", pawn, offer.place, place), _move, (place, offer.free_step))
    for place in offer.jumps:
        words = (scenario.spaces[place // LANES], place % LANES)
        yield Option(choice(seat, "jump", words), _jump, (place,))
        if offer.actions >= SAFE:
            yield Option(choice(seat, "safe_jump", words), _safe_jump, (place,))
    rivals = [(scenario.characters[who].id, other) for other, who in offer.rivals]
    for rival, other in rivals:
        yield Option(choice(seat, "attack", (rival,)), _attack, ((other,),))
    if len(rivals) > 1:  # L-FIGHT-3
        yield Option(
            choice(seat, "attack", tuple([rival for rival, _ in rivals])), _attack, (tuple([n for _, n in rivals]),)
        )
    for offered, verb, do in (
        (offer.build, "build", _build),
        (offer.trap, "trap", _trap),
        (offer.golem, "golem", _golem),
        (offer.event, "event", _event),
        (offer.wake, "crystal", _wake),
    ):
        if offered:
            yield Option(choice(seat, verb), do)


def _free(scenario: Scenario, offer: _Offer) -> Iterator[Option]:
    seat = offer.seat
    for is_key, number in offer.reach:
        token = key_token(number) if is_key else scenario.items[number].id
        if is_key or len(offer.items) < ITEMS:
            yield Option(picking(scenario, seat, token, offer.place, ""), _pick, (is_key, number, NONE))
            continue
        for old in dict.fromkeys(offer.items):
            if old != number:
                action = picking(scenario, seat, token, offer.place, scenario.items[old].id)
                yield Option(action, _pick, (is_key, number, old))
    for item in offer.usable:
        yield Option(choice(seat, "use", (scenario.items[item].id,)), _use, (item,))
    for number in offer.abilities:
        ability = scenario.characters[offer.character].abilities[number]
        yield Option(choice(seat, "ability", (ability.id,)), _ability, (number,))


# ── what costs actions ──


def _rest(draft: Draft, task: Turn) -> None:
    draft.actions -= 1
    draft.push(task)
    player = draft.player
    refresh(draft, draft.seat, player.daze if draft.scenario.switches.rest_removes == "all" else 1)


def _move(draft: Draft, task: Turn, place: int, free: bool) -> None:
    draft.push(task)
    if free:
        draft.used |= REPEATED
    else:
        draft.actions -= 1
        draft.used |= STEPPED
    enter(draft, draft.seat, place)


def _jump(draft: Draft, task: Turn, place: int) -> None:
    draft.actions -= 1
    draft.push(JumpTest(draft.seat, 0, 0, place), task)


def _safe_jump(draft: Draft, task: Turn, place: int) -> None:
    draft.actions -= SAFE
    draft.push(task)
    land(draft, draft.seat, place)


def _attack(draft: Draft, task: Turn, rivals: tuple[int, ...]) -> None:
    """One fight with each of them, for one action (L-FIGHT-3)."""
    draft.actions -= 1
    draft.push(*(Attack(other) for other in rivals), task)


@dataclass(frozen=True, slots=True)
class Attack(Task):
    """A fight that was asked for, if both are still in one place when it comes to it."""

    rival: int

    @override
    def run(self, draft: Draft) -> bool:
        if self.rival in others_at(draft, draft.seat):
            draft.push(Fight(draft.seat, self.rival, draft.seat))
        return False


def _build(draft: Draft, task: Turn) -> None:
    draft.actions -= 1
    draft.push(task)
    building.draw(draft)


def _trap(draft: Draft, task: Turn) -> None:
    draft.actions -= 1
    draft.push(traps.SetTrap(NONE), task)


def _golem(draft: Draft, task: Turn) -> None:
    draft.actions -= 1
    draft.used |= GOLEM
    card, draft.golem_deck = _drawn(draft, draft.golem_deck)
    draft.golem_deck = Deck(draft.golem_deck.draw, (*draft.golem_deck.discard, card))
    drawn = draft.scenario.golem_cards[card]
    draft.tell("golem_card", drawn.id, reveals=True)
    draft.push(task)
    start(draft, drawn.program, draft.seat, draft.player.place)


def _event(draft: Draft, task: Turn) -> None:
    draft.actions -= 1
    draft.used |= EVENT
    card, deck = _drawn(draft, draft.event_deck)
    old = () if draft.event == NONE else (draft.event,)
    draft.event_deck, draft.event = Deck(deck.draw, (*deck.discard, *old)), card
    drawn = draft.scenario.events[card]
    draft.tell("event", drawn.id, reveals=True)
    draft.push(task)
    start(draft, drawn.program, draft.seat, draft.player.place)


def _drawn(draft: Draft, deck: Deck) -> tuple[int, Deck]:
    """The top card, and the deck without it; an empty one is its discards again."""
    if not deck.draw:
        deck = Deck(draft.shuffle(deck.discard), ())
        draft.tell("reshuffled", chance=True)
    return deck.draw[0], Deck(deck.draw[1:], deck.discard)


def _wake(draft: Draft, task: Turn) -> None:
    draft.actions -= WAKE
    draft.push(task)
    set_crystal(draft, draft.seat, active=True)


# ── what is free ──


def _pick(draft: Draft, task: Turn, is_key: bool, number: int, old: int) -> None:
    """Pick up a key or an item, in exchange for one it has if `old` is one (L-FREE-PICK, L-FREE-SWAP)."""
    draft.push(task)
    who, player, seat = draft.who(draft.seat), draft.player, draft.seat
    if is_key:
        draft.keys = replaced(draft.keys, number, -1 - seat)
        draft.tell("picked_up", who, key_token(number))
        return
    if old != NONE:
        spend(draft, seat, old)
        lay_item(draft, player.place, old)
    lying = list(draft.lying)
    lying.remove(Lying(player.place, number))
    draft.lying = tuple(lying)
    player = draft.player
    draft.set_player(seat, player._replace(items=tuple(sorted((*player.items, number)))))
    draft.tell("picked_up", who, draft.scenario.items[number].id)


def _use(draft: Draft, task: Turn, item: int) -> None:
    used = draft.scenario.items[item]
    draft.push(task)
    spend(draft, draft.seat, item)
    draft.tell("used", draft.who(draft.seat), used.id)
    start(draft, used.program, draft.seat, draft.player.place)


def _ability(draft: Draft, task: Turn, number: int) -> None:
    ability = character(draft, draft.seat).abilities[number]
    draft.push(task)
    draft.actions -= ability.cost
    draft.used |= ABILITY << number
    draft.tell("ability", draft.who(draft.seat), ability.id)
    if ability.crystal:
        set_crystal(draft, draft.seat, active=False)
    start(draft, ability.program, draft.seat, draft.player.place)


# ── the end of a turn ──


def _end(draft: Draft, task: Turn) -> None:
    draft.turn += 1
    rounds = draft.scenario.rounds
    if rounds and draft.turn == rounds * draft.seats:
        draft.tell("time")
        draft.end("rounds", _foremost(draft))
        return
    begin(draft, (draft.seat + 1) % draft.seats)
    draft.tell("turn", draft.who(draft.seat))


def _foremost(draft: Draft) -> tuple[int, ...]:
    """The seats with most keys; of those, the nearest to the centre by corridors."""
    far = draft.maze.distances(draft.scenario.centre_place)
    ranks = [
        (-len(held(draft, seat)), far.get(player.place, len(draft.maze.near)))
        for seat, player in enumerate(draft.players)
    ]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == min(ranks))
