// What lies beside the board: stacks, decks and what was discarded, rounds and tracks, as rows of a list.

import { html } from "./element.js";
import { say } from "./say.js";

const STACKS = {
  pile: say("Tiles to draw"),
  pool: say("Traps to draw"),
  stock: say("Items to find"),
  reinforcements: say("Reinforcements"),
  disruption_pool: say("Disruption tokens"),
};
const DECKS = {
  golem_deck: say("Golem cards"),
  event_deck: say("Event cards"),
  events: say("Event cards"),
  planning: say("Planning cards"),
};

// The rows that the view of a game knows: [name, how much, names of discards | null], in a fixed order.
export function rows(view) {
  const of = (n, most) => say("{n} of {most}", { n, most });
  const round = view.round ? [[say("Round"), view.rounds ? of(view.round, view.rounds) : String(view.round), null]] : [];
  const event = view.event ? [[say("Event in force"), view.event.name, null]] : [];
  const tracks = (view.tracks ?? []).map(({ name, value, most }) => [name, of(value, most), null]);
  const stacks = Object.entries(STACKS).filter(([key]) => view[key] !== undefined);
  const decks = Object.entries(DECKS).filter(([key]) => view[key]?.deck !== undefined);
  return [
    ...round,
    ...event,
    ...tracks,
    ...stacks.map(([key, name]) => [name, String(view[key]), null]),
    ...decks.map(([key, name]) => deck(name, view[key])),
  ];
}

function deck(name, { deck: left, discard }) {
  return [name, say("{left} left, {discarded} discarded", { left, discarded: discard.length }), discard];
}

export function supplies(all) {
  if (all.length === 0) return [];
  return [html("h3", {}, say("Beside the board")), html("ul", { class: "supplies" }, all.map(row))];
}

function row([name, much, discard]) {
  const words = [html("span", {}, name), html("span", { class: "count" }, much)];
  if (!discard?.length) return html("li", {}, html("div", { class: "supply" }, words));
  const newestFirst = discard.toReversed().join(", ");
  return html(
    "li",
    {},
    html("details", {}, html("summary", { class: "supply" }, words), html("p", { class: "quiet" }, say("Newest first: {cards}", { cards: newestFirst }))),
  );
}
