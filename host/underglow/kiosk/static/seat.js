// A phone in a seat: its hand, what it has seen, its choices. It gets no more than that seat may know.

import { Connection, REPLACED, reconnecting } from "./connection.js";
import { html, redraw, write } from "./element.js";
import "./language.js";
import { byToken, label } from "./moves.js";
import { hand, heading, seatNames, takeBack } from "./panel.js";
import { say } from "./say.js";

const GRID = 4; // so many choices that differ in one word only become a grid of these words
const LOG_LINES = 20;

const root = document.querySelector("#phone");
const part = (id) => root.querySelector(`#${id}`);

const connection = new Connection(
  { table: draw },
  (open, reason, code) => {
    if (open) root.dataset.state = "seated";
    else if (connection.final) leave(code === REPLACED ? "elsewhere" : "unseated", reason);
    else {
      if (root.dataset.state === "seated") root.dataset.state = "lost";
      link("connecting", reconnecting(reason));
    }
  },
);

// What was for these eyes goes with the seat.
function leave(state, reason) {
  root.dataset.state = state;
  for (const id of ["choices", "hand", "peeks", "history", "log"]) show(id, null, () => []);
  part("who").textContent = "Underglow";
  link("down", reason);
}

function link(state, says) {
  part("link").dataset.state = state;
  write(part("link"), says);
}

const show = (id, data, build) => redraw(part(id), data, build);

function draw(table) {
  const { view, outcome, prompt, seat, number, choices, moves, tokens, overlay, shown, history, log } = table;
  root.dataset.number = number;
  const rows = (view.seats ?? []).map((row, n) => ({ seat: n, ...row }));
  const acting = outcome ? [] : rows.filter((row) => (view.character ? row.character === view.character : table.turn.includes(row.seat)));
  const names = new Map(seatNames(rows));
  part("who").textContent = names.get(String(seat)) ?? say("Seat {n}", { n: seat + 1 });
  document.title = `${part("who").textContent} · Underglow`;
  part("turn").textContent = outcome ? say("Game over") : heading(table, acting);
  write(part("says"), outcome ?? prompt);
  link(table.link.state, table.link.state === "up" ? say("at the table") : table.link.says);
  show("choices", { choices, shown, number, moves: outcome ? [] : moves, tokens, overlay }, (data) => [
    ...offer(data),
    ...offerMoves(data),
  ]);
  const own = rows.filter((row) => row.seat === seat && row.hand);
  show("hand", own.map(({ name, hand: cards }) => ({ name, cards, acts: true })), (hands) => hands.map(hand));
  show("peeks", peeks(view), (lines) => [
    lines.length ? html("ul", { class: "lines" }, lines.map((line) => html("li", {}, line))) : null,
  ]);
  show("history", { ...history, number, seat, names: [...names] }, steps);
  show("log", log.slice(-LOG_LINES), (lines) => [
    html("h3", {}, say("Log")),
    html("ol", { class: "lines", tabindex: 0 }, lines.toReversed().map((line) => html("li", {}, line))),
  ]);
}

// What this seat knows beside its hand, in words.
function peeks(view) {
  const where = new Map((view.tokens ?? []).map(({ id, space }) => [id, space]));
  const lines = (view.peeks ?? []).map(({ id, space, name }) => `${space ?? where.get(id) ?? say("off the map")}: ${name}`);
  if (view.role) lines.push(say("Your role: {role}", view));
  if (view.planning_top) lines.push(say("On top of the planning deck: {card}", { card: view.planning_top }));
  // In a maze what is drawn is a tile, which everybody sees.
  if (Array.isArray(view.drawn)) lines.push(say("Drawn: {cards}", { cards: view.drawn.join(", ") }));
  return lines;
}

const choiceButton = ({ index, text }, number, shown, words) =>
  html(
    "button",
    {
      type: "button",
      "aria-label": text,
      "aria-current": index === shown ? "true" : null,
      onclick: () => connection.send({ choose: index, number }),
    },
    words,
  );

function offer({ choices, shown, number }) {
  const button = (choice, words) => choiceButton(choice, number, shown, words);
  const gaps = choices.map((choice) => ({ choice, gaps: gapped(choice) }));
  const often = Map.groupBy(gaps.flatMap((one) => one.gaps), ({ rest }) => rest);
  const chosen = gaps.map(({ choice, gaps: [last, ...others] }) => {
    const grid = [last, ...others].find(({ rest }) => often.get(rest).length >= GRID);
    return { choice, ...(grid ?? last) };
  });
  const groups = Map.groupBy(chosen, ({ rest }) => rest);
  return [...groups].flatMap(([rest, group]) =>
    group.length < GRID
      ? [html("div", { class: "big" }, group.map(({ choice }) => button(choice, choice.text)))]
      : [
          html("h3", {}, rest),
          html("div", { class: "pad" }, group.map(({ choice, word }) => button(choice, word))),
        ],
  );
}

// What figures can do that nobody carries: by the space where it ends, or in full if that tells not all.
function offerMoves({ moves, number, tokens, overlay }) {
  const names = new Map(Object.entries(overlay).map(([name, space]) => [space, name]));
  return [...byToken(moves).values()].map((group) => {
    const ends = group.moves.map(({ at }) => at.map((space) => names.get(space)).join(" "));
    const apart = new Set(ends).size === ends.length;
    const buttons = group.moves.map((move, n) => choiceButton(move, number, null, apart ? ends[n] : move.text));
    if (buttons.length === 1) return html("div", { class: "big" }, choiceButton(group.moves[0], number, null, group.moves[0].text));
    const summary = html("summary", {}, label(group, tokens[group.token]?.name ?? group.token));
    return html("details", {}, summary, html("div", { class: apart ? "pad" : "big" }, buttons));
  });
}

// A choice's text with a gap for its last word, or for one that is the same in every language: a number, a space.
function gapped({ text, args }) {
  const words = text.split(" ");
  const same = new Set(args.map(String));
  return words
    .map((word, at) => ({ word, rest: words.with(at, "…").join(" ") }))
    .filter(({ word }, at) => at === words.length - 1 || same.has(word.replace(/[.,:]$/, "")))
    .reverse();
}

function steps({ played, undone, alone, missing, number, seat, names }) {
  const [last, next] = [played.at(-1), undone[0]];
  const turn = (way, label, { text }) =>
    html(
      "button",
      { type: "button", "aria-label": `${label}: ${text}`, onclick: () => connection.send({ [way]: number }) },
      `${label}: ${text}`,
    );
  const asked = missing !== null;
  const waiting = names.filter(([value]) => missing?.includes(Number(value))).map(([, name]) => name);
  const buttons = [
    last && !asked ? turn("undo", alone && last.seat === seat ? say("Undo") : say("Ask to undo"), last) : null,
    asked && missing.includes(seat) ? turn("agree", say("Agree"), last) : null,
    next?.seat === seat ? turn("redo", say("Redo"), next) : null,
  ].filter(Boolean);
  return [
    asked ? html("p", {}, takeBack(last, waiting)) : null,
    buttons.length ? html("div", { class: "big" }, buttons) : null,
  ];
}

async function join(code) {
  link("connecting", say("joining…"));
  let answer;
  try {
    answer = await fetch("/join", { method: "POST", body: code });
  } catch {
    leave("unseated", say("the table does not answer: is this phone in its network?"));
    return;
  }
  if (!answer.ok) {
    leave("unseated", await answer.text());
    return;
  }
  part("code").value = "";
  sit();
}

function sit() {
  root.dataset.state = "joining";
  connection.open("own");
}

// The code is taken out of the address at once: it is in no history and in no bookmark.
function begin() {
  const code = location.hash.slice(1);
  history.replaceState(null, "", "/seat");
  if (code) join(code);
  else sit();
}

part("join").addEventListener("submit", (event) => {
  event.preventDefault();
  join(part("code").value);
});
part("again").addEventListener("click", sit);
addEventListener("hashchange", () => location.hash && begin());
begin();
