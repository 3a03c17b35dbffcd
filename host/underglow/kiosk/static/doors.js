// The table's own page shows how phones get to its seats: a code each, and who sits there already.

import { html, svg } from "./element.js";
import { seatNames } from "./panel.js";
import { counted, say } from "./say.js";

export class Doors {
  // send(message): {invite: seat} for another code, {free: seat} to send its phones away.
  constructor(head, send) {
    this.send = send;
    this.told = null;
    this.names = new Map();
    this.drawn = "";
    this.begun = null; // whether a step was played when this page opened
    this.seats = html("ul", { class: "doors" });
    this.way = html("p", {});
    this.dialog = html(
      "dialog",
      { id: "doors", "aria-labelledby": "doors-title" },
      html("h2", { id: "doors-title" }, say("Join with your phone")),
      this.way,
      this.seats,
      html("button", { type: "button", onclick: () => this.dialog.close() }, say("Back to the table")),
    );
    this.button = html("button", { type: "button", hidden: true, onclick: () => this.dialog.showModal() }, say("Phones"));
    head.append(this.button);
    document.body.append(this.dialog);
  }

  invite(told) {
    this.told = told;
    this.button.hidden = false;
    this.draw();
  }

  name({ view, history }) {
    this.names = new Map(seatNames((view.seats ?? []).map((row, n) => ({ seat: n, ...row }))));
    this.begun ??= history.played.length > 0;
    this.draw();
  }

  draw() {
    if (!this.told || this.begun === null) return;
    const drawn = JSON.stringify([this.told, [...this.names]]);
    if (drawn === this.drawn) return;
    const first = this.drawn === "";
    this.drawn = drawn;
    const [before, after] = say("In this network, scan the code of your seat, or open {address} and type it in.").split("{address}");
    this.way.replaceChildren(before, html("b", {}, this.told.address), after);
    this.seats.replaceChildren(...this.told.seats.map((seat) => this.door(seat)));
    const waits = this.told.seats.some(({ phones }) => phones === 0);
    if (first && waits && !this.begun) this.dialog.showModal();
    if (!this.told.seats.some(({ code }) => code)) this.dialog.close();
  }

  door({ seat, code, phones, width, path }) {
    const name = this.names.get(String(seat)) ?? "";
    const number = say("Seat {n}", { n: seat + 1 });
    const title = !name || name === number ? number : `${number}: ${name}`;
    const act = (label, message) =>
      html("button", { type: "button", "aria-label": `${label}: ${title}`, onclick: () => this.send(message) }, label);
    return html(
      "li",
      { "data-seat": String(seat) },
      html("h3", {}, title),
      code
        ? svg(
            "svg",
            { viewBox: `0 0 ${width} ${width}`, role: "img", "aria-label": say("QR code of {title}", { title }) },
            svg("path", { d: `M0 0h${width}v${width}H0z`, class: "ground" }),
            svg("path", { d: path, class: "dark" }),
          )
        : null,
      code ? html("p", { class: "code" }, code) : null,
      phones ? html("p", {}, counted("A phone sits here.", "{n} phones sit here.", phones)) : null,
      phones && !code ? act(say("One more phone"), { invite: seat }) : null,
      phones ? act(say("Free this seat"), { free: seat }) : null,
    );
  }
}
