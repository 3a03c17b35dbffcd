// A table that nobody looks after: the demo's banner, the idle screen, the countdown, the sentence of the safe mode.

import { html, redraw } from "./element.js";
import { buttons, forget } from "./language.js";
import { counted, say } from "./say.js";

const TOUCH_MS = 1000; // one touch a second is enough to be noticed

export class Attendant {
  // act: {send(message), reopen(), home() -> whether this is the table's own page}; main is what lies under the idle screen.
  constructor(element, main, act) {
    this.element = element;
    this.main = main;
    this.act = act;
    this.round = null;
    this.sent = -Infinity;
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, (event) => this.touch(event), { capture: true });
    }
  }

  // What touches the demo only wakes the table: it must not choose something that comes up under the finger.
  touch(event) {
    if (!this.said || event.target.closest?.("#staff-door, #staff-way")) return; // staff touch no table
    if (this.said.phase === "attract" && event.type === "keydown") event.preventDefault();
    if (performance.now() - this.sent < TOUCH_MS) return;
    if (this.act.send({ touch: true })) this.sent = performance.now();
  }

  hear(said) {
    if (said.phase === "attract" && this.act.home()) forget();
    const before = this.said;
    this.said = said;
    document.body.dataset.phase = said.phase;
    const covered = said.phase === "choosing" || said.phase === "safe";
    this.main.inert = covered || said.phase === "attract";
    if (this.round !== null && this.round !== said.round) this.act.reopen(); // another game has other seats
    this.round = said.round;
    this.draw(said);
    if (covered && before?.phase !== said.phase) this.element.querySelector("button:not([lang]), [tabindex]")?.focus();
  }

  // The countdown changes every second; nothing else is built anew for it.
  draw(said) {
    redraw(this.element, { ...said, left_s: said.left_s === null }, () => this.parts(said));
    const countdown = this.element.querySelector("#countdown");
    if (countdown && said.left_s !== null) {
      countdown.textContent = meanwhile[said.phase]?.(said.left_s) ?? "";
    }
  }

  parts(said) {
    const countdown = said.left_s === null ? null : html("p", { id: "countdown", role: "timer" });
    switch (said.phase) {
      case "attract":
        return [html("p", { class: "banner" }, html("b", {}, say("Demo")), ` ${say("Touch the board or this page to play.")}`)];
      case "choosing":
        return [this.chooser(said, countdown)];
      case "safe":
        return [
          html(
            "div",
            { class: "sheet", role: "alert", tabindex: -1 },
            html("h2", {}, say("This table can't play just now")),
            said.says.map((sentence) => html("p", {}, sentence)),
            said.unfinished ? html("p", {}, say("The game of {title} is kept.", said.unfinished)) : null,
          ),
        ];
      default:
        return [html("p", { class: "corner" }, countdown, button(say("New game"), () => this.act.send({ leave: true })))];
    }
  }

  chooser({ offers, unfinished }, countdown) {
    const goOn = unfinished && [
      html("h3", {}, say("Somebody's game is not over")),
      html(
        "p",
        { class: "buttons" },
        button(goingOn(unfinished), () => this.act.send({ go_on: true })),
      ),
    ];
    const games = [...Map.groupBy(offers, ({ game }) => game)].flatMap(([game, scenarios]) => [
      html("h3", { class: "game" }, game.replaceAll("_", " ")),
      html("ul", {}, scenarios.map((offer) => this.offer(offer))),
    ]);
    return html(
      "div",
      { class: "sheet", role: "dialog", "aria-labelledby": "choose" },
      html("p", { class: "buttons languages" }, buttons()),
      html("h2", { id: "choose" }, say("What shall we play?")),
      goOn,
      games,
      countdown,
    );
  }

  offer({ game, scenario, title, seats }) {
    const choose = (count) =>
      html(
        "button",
        {
          type: "button",
          "aria-label": `${title}, ${players(count)}`,
          onclick: () => this.act.send({ begin: [game, scenario, count] }),
        },
        players(count),
      );
    return html("li", {}, html("span", {}, title), html("span", { class: "buttons" }, seats.map(choose)));
  }
}

const button = (text, onclick) => html("button", { type: "button", onclick }, text);
const players = (count) => counted("{n} player", "{n} players", count);
const goingOn = ({ title, steps }) =>
  counted("Go on with {title}, after {n} step", "Go on with {title}, after {n} steps", steps, { title });

// What becomes of the table in so many seconds.
const meanwhile = {
  choosing: (n) => say("The demo goes on in {n} s. Touch anywhere to stay.", { n }),
  playing: (n) => say("This game is put aside in {n} s. Touch anywhere to stay.", { n }),
  over: (n) => say("The table is cleared in {n} s. Touch anywhere to stay.", { n }),
};
