// What lies beside the board: stacks, decks and what was discarded, rounds and tracks, as rows of a list.

import { html } from "./element.js";

const STACKS = {
  pile: "Tiles to draw",
  pool: "Traps to draw",
  stock: "Items to find",
  reinforcements: "Reinforcements",
  disruption_pool: "Disruption tokens",
};
const DECKS = { golem_deck: "Golem cards", event_deck: "Event cards", events: "Event cards", planning: "Planning cards" };

// The rows that the view of a game knows: [name, how much, names of discards | null], in a fixed order.
export function rows(view) {
  const round = view.round ? [["Round", view.rounds ? `${view.round} of ${view.rounds}` : String(view.round), null]] : [];
  const event = view.event ? [["Event in force", view.event.name, null]] : [];
  const tracks = (view.tracks ?? []).map(({ name, value, most }) => [name, `${value} of ${most}`, null]);
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
  return [name, `${left} left, ${discard.length} discarded`, discard];
}

export function supplies(all) {
  if (all.length === 0) return [];
  return [html("h3", {}, "Beside the board"), html("ul", { class: "supplies" }, all.map(row))];
}

function row([name, much, discard]) {
  const words = [html("span", {}, name), html("span", { class: "count" }, much)];
  if (!discard?.length) return html("li", {}, html("div", { class: "supply" }, words));
  const newestFirst = discard.toReversed().join(", ");
  return html(
    "li",
    {},
    html("details", {}, html("summary", { class: "supply" }, words), html("p", { class: "quiet" }, `Newest first: ${newestFirst}`)),
  );
}
