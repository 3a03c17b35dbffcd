// Everything beside the board: whose turn, what is asked, what is legal, hands, health, log, link.

import { DICE, alike, button, differing } from "./choice.js";
import { html, redraw, write } from "./element.js";
import { label as beginning } from "./moves.js";
import { counted, listed, say } from "./say.js";
import { rows as rowsBeside, supplies } from "./supplies.js";
import { head } from "./verbs.js";

const LINK = { up: "●", down: "▲", connecting: "◌" };

export class Panel {
  // act: {choose(index, number), go(token), turn("undo" | "agree" | "redo", number), seat(text)}
  constructor(root, act) {
    this.root = root;
    this.act = act;
  }

  part(id) {
    return this.root.querySelector(`#${id}`);
  }

  // Build a part anew only when what it shows has changed: screen readers and the focus stay undisturbed.
  show(id, data, build) {
    const part = this.part(id);
    const focused = part.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
    if (!redraw(part, data, build) || focused === null) return;
    const controls = [...part.querySelectorAll("button, input")];
    (controls.find(({ ariaLabel }) => ariaLabel === focused) ?? controls[0])?.focus();
  }

  text(id, sentence) {
    write(this.part(id), sentence);
  }

  // groups: the moves that can be said here, by token; said: the token whose moves the board shows.
  draw(table, groups, said) {
    const { view, understood, choices, shown, number, outcome, seat } = table;
    const rows = (view.seats ?? []).map((row, n) => ({ seat: n, ...row }));
    const moves = (row) => (view.character ? row.character === view.character : table.turn.includes(row.seat));
    const acting = (row) => !outcome && moves(row);
    this.text("turn", outcome ? say("Game over") : heading(table, rows.filter(acting)));
    this.text("says", outcome ?? table.prompt);
    this.part("prompt").dataset.mood = outcome ? "over" : understood.kind;
    const names = seatNames(rows);
    this.show("seats-choice", { seat, seats: names }, (data) => this.seatChoice(data));
    const zones = (view.zones ?? []).map(({ id }) => id);
    const { turn } = table;
    const { facing } = view;
    const { tokens } = table;
    const sayable = [...groups.values()].map((group) => ({ ...group, name: tokens[group.token]?.name ?? group.token }));
    const offer = { choices, sayable, said, shown, number, seat, zones, facing, names, turn, over: Boolean(outcome) };
    this.show("choices", offer, (data) => this.choices(data));
    const own = rows.filter((row) => row.hand && (zones.length || row.hand.length));
    const hands = own.map((row) => ({ name: row.name, cards: row.hand, acts: acting(row) }));
    this.show("hand", hands.toSorted((a, b) => b.acts - a.acts), (data) => data.map(hand));
    const turns = seat !== null || this.root.dataset.home === "true"; // who only watches takes nothing back
    this.show("history", { ...table.history, number, seat, names, turns }, (data) => this.history(data));
    this.show("health", rows.map((row) => ({ ...row, hand: null, acts: acting(row) })), health);
    this.show("supplies", rowsBeside(view), supplies);
    this.show("log", table.log, log);
    this.link(table.link);
  }

  link({ state, says }) {
    this.part("link").dataset.state = state;
    const plain = { up: say("board connected"), down: say("board gone"), connecting: say("connecting to the board") };
    this.text("link", `${LINK[state] ?? "◌"} ${says || plain[state]}`);
  }

  seatChoice({ seat, seats }) {
    const options = [["public", say("Public")], ...seats];
    return [
      html("legend", { class: "unseen" }, say("Whose view")),
      ...options.map(([value, name]) =>
        html(
          "label",
          {},
          html("input", {
            type: "radio",
            name: "seat",
            "aria-label": name,
            checked: value === String(seat ?? "public"),
            onchange: () => this.act.seat(value),
          }),
          html("span", {}, name),
        ),
      ),
    ];
  }

  // What has a place on the board comes last: there it is nearer at hand.
  choices({ sayable, said, ...offer }) {
    return offer.over ? [] : [...this.listed(offer), ...this.moves(sayable, said, offer.number)];
  }

  // A button for each token that hands could carry: it marks the spaces where to.
  moves(groups, said, number) {
    if (groups.length === 0) return [];
    const control = (group) => {
      const { token, name, moves } = group;
      const several = moves.length > 1;
      const onclick = () => (several ? this.act.go(token) : this.act.choose(moves[0].index, number));
      const text = beginning(group, name);
      const pressed = several ? String(token === said) : null;
      return html("button", { type: "button", "aria-label": text, "aria-pressed": pressed, onclick }, text);
    };
    return [html("h3", {}, say("Move from here")), html("div", { class: "buttons" }, groups.map(control))];
  }

  listed({ choices, shown, number, seat, zones, facing, names, turn }) {
    if (choices.length === 0) {
      const seated = turn.includes(seat)
        ? say("Nothing to choose here: the figures do the talking.")
        : say("It is another seat's turn.");
      const acting = names.filter(([value]) => turn.includes(Number(value))).map(([, name]) => name);
      const first = say("Choose a seat above to see its hand and choices. Now it is for {names} to choose.", {
        names: listed(acting),
      });
      const sentence = seat === null ? first : seated;
      return [html("h3", {}, say("Choices")), html("p", { class: "quiet" }, sentence)];
    }
    const several = new Set(choices.map((choice) => choice.seat)).size > 1;
    const whose = (choice) => (several ? (names.find(([value]) => value === String(choice.seat))?.[1] ?? "") : "");
    const ordered = choices.toSorted((a, b) => (a.at.length > 0) - (b.at.length > 0));
    const groups = Map.groupBy(ordered, (choice) => `${whose(choice)} ${head(choice.verb)}`.trim());
    const label = differing(choices, { facing });
    return [...groups].flatMap(([heading, group]) => [
      html("h3", {}, heading),
      ...byZone(group, zones).map(([start, members]) =>
        html(
          "div",
          { class: group[0].verb === DICE ? "buttons pad" : "buttons" },
          start ? html("span", { class: "start" }, start) : null,
          members.map(([end, choice]) => {
            const current = choice.index === shown ? "true" : null; // the one that the board shows
            const onclick = () => this.act.choose(choice.index, number);
            const words = start ? end : label(choice);
            return button(choice, { facing }, { "aria-current": current, onclick }, words);
          }),
        ),
      ),
    ]);
  }

  // What a seat did it takes back alone, unless something was rolled or seen by it; to all else, everybody agrees.
  // The table's own page speaks for all who are asked, as the board's buttons do.
  history({ played, undone, alone, missing, number, seat, names, turns }) {
    const [last, next] = [played.at(-1), undone[0]];
    if (!last && !next) return [];
    const turn = (way, label, text) =>
      html("button", { type: "button", "aria-label": `${label}: ${text}`, onclick: () => this.act.turn(way, number) }, label);
    const mine = (asked) => seat === null || asked === seat;
    const free = alone && mine(last?.seat);
    const asked = missing !== null;
    const agree = seat === null ? say("All agree") : say("Agree");
    const waiting = names.filter(([value]) => missing?.includes(Number(value))).map(([, name]) => name);
    return [
      html("h3", {}, say("History")),
      asked ? html("p", {}, takeBack(last, waiting)) : null,
      turns
        ? html(
            "div",
            { class: "buttons" },
            last && !asked ? turn("undo", free ? say("Undo") : say("Ask to undo"), last.text) : null,
            asked && missing.some(mine) ? turn("agree", agree, last.text) : null,
            next && mine(next.seat) ? turn("redo", say("Redo"), next.text) : null,
          )
        : null,
      steps(played, undone),
    ];
  }
}

export const takeBack = ({ text: step }, waiting) =>
  say("Take back “{step}”? To agree: {names}. Playing on keeps it.", { step, names: waiting.join(", ") });

// Newest first: what was taken back and may be played again, then what was played.
function steps(played, undone) {
  const line = (attributes, said, text) =>
    html("li", attributes, said ? html("span", { class: "unseen" }, said) : null, text);
  return html("ol", { class: "steps", tabindex: 0, "aria-label": say("Steps, newest first") }, [
    ...undone.toReversed().map(({ text }) => line({ class: "undone" }, `${say("taken back:")} `, html("s", {}, text))),
    ...played.toReversed().map(({ text }, n) => line({ "aria-current": n === 0 ? "step" : null }, null, text)),
  ]);
}

// Choices that differ only in their zone share a row, if they begin alike: "Lay a 3 on" — Move, Attack, Intel, Plan.
function byZone(choices, zones) {
  const rows = Map.groupBy(choices, ({ args }) => {
    const others = args.filter((arg) => !zones.includes(arg));
    return others.length < args.length ? JSON.stringify(others) : "";
  });
  return [...rows].flatMap(([key, members]) => {
    const texts = members.map(({ text }) => text.split(" "));
    const start = key ? alike(texts) : 0;
    if (start === 0) return [["", members.map((choice) => [choice.text, choice])]];
    return [[texts[0].slice(0, start).join(" "), members.map((choice, n) => [texts[n].slice(start).join(" "), choice])]];
  });
}

// One seat may play several characters.
export function seatNames(rows) {
  const seats = Map.groupBy(rows, ({ seat }) => seat);
  return [...seats].map(([seat, members]) => [String(seat), [...new Set(members.map(({ name }) => name))].join(" & ")]);
}

export function heading({ understood, tokens, seat }, acting) {
  const inHand = listed(understood.tokens.map((id) => tokens[id]?.name ?? id));
  const names = listed([...new Set(acting.map(({ name }) => name))]);
  const own = acting.length > 0 && acting.every((row) => row.seat === seat);
  switch (understood.kind) {
    case "in_hand":
      return say("In hand: {names}", { names: inHand });
    case "which":
      return say("Which did you mean?");
    case "repair":
      return say("Put the board right");
    case "waiting":
      return say("Waiting for the board");
    default:
      return own ? say("Your turn: {names}", { names }) : say("{names} to move", { names });
  }
}

export function hand({ name, cards, acts }) {
  return html(
    "div",
    {},
    html("h3", {}, say("Hand of {name}", { name })),
    cards.length
      ? html("ol", { class: acts ? "cards" : "cards resting" }, cards.map(card))
      : html("p", { class: "quiet" }, say("No cards.")),
  );
}

function card({ strength, name, tactical }) {
  const kind = tactical ? say("tactical") : say("strength {n}", { n: strength });
  return html(
    "li",
    { "aria-label": [kind, name].filter(Boolean).join(", ") },
    html("b", {}, tactical ? "✦" : String(strength)),
    name ? html("span", {}, name) : null,
  );
}

function health(rows) {
  return [html("h3", {}, say("Health")), html("ul", { class: "seats" }, rows.map(row))];
}

// What a character has beside its health, in words.
function belongings({ daze, crystal, keys, items }) {
  if (daze === undefined) return null;
  const dazed = daze ? counted("dazed: {n} rest", "dazed: {n} rests", daze) : null;
  const names = [...keys, ...items].map(({ name }) => name);
  return [dazed, crystal ? say("crystal active") : say("crystal spent"), ...names].filter(Boolean).join(" · ");
}

function row({ name, health: whole = 0, damage = 0, cards, deck, discard, acts, ...rest }) {
  const left = Math.max(0, whole - damage);
  const has = belongings(rest);
  const held = cards === undefined || has !== null ? null : counted("{n} card", "{n} cards", cards);
  const piles = deck === undefined ? null : say("deck {deck}, discard {discard}", { deck, discard: discard?.length ?? 0 });
  return html(
    "li",
    { class: acts ? "acts" : null },
    html("strong", {}, acts ? "▸ " : "", name),
    html("span", { class: "count" }, [say("{n} of {most}", { n: left, most: whole }), held].filter(Boolean).join(" · ")),
    html(
      "span",
      { class: "hearts", "aria-hidden": "true" },
      Array.from({ length: whole }, (_, n) => html("i", { class: n < left ? null : "lost" })),
    ),
    has === null && piles === null ? null : html("small", {}, has ?? piles),
  );
}

function log(lines) {
  const newestFirst = lines.toReversed().map((line) => html("li", {}, line));
  return [html("h3", {}, say("Log")), html("ol", { class: "lines", tabindex: 0 }, newestFirst)];
}
