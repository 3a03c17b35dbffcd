// Digits for fingers and for keys; the PIN goes to the table, and is kept nowhere here.

import { html } from "./element.js";
import { counted, say } from "./say.js";

const LONGEST = 12;

export class PinPad {
  // entered() is called when the PIN was right.
  constructor(entered) {
    this.entered = entered;
    this.digits = "";
    this.busy = false;
    this.dots = html("p", { class: "dots", role: "status", "aria-live": "polite" });
    this.refusal = html("p", { class: "refusal", role: "alert" });
    const key = (label, act, attributes = {}) =>
      html("button", { type: "button", ...attributes, onclick: act }, label);
    this.element = html(
      "div",
      { class: "pinpad", role: "group", tabindex: -1, "aria-label": say("PIN pad"), onkeydown: (event) => this.type(event) },
      this.dots,
      html(
        "div",
        { class: "keys" },
        [..."123456789"].map((digit) => key(digit, () => this.add(digit))),
        key("⌫", () => this.remove(), { "aria-label": say("Delete") }),
        key("0", () => this.add("0")),
        key(say("OK"), () => this.send(), { class: "enter" }),
      ),
      this.refusal,
    );
    this.draw();
  }

  // Ready for keys: digits, Backspace, Enter.
  focus() {
    this.element.focus();
  }

  clear() {
    this.digits = "";
    this.refusal.textContent = "";
    this.draw();
  }

  type(event) {
    if (event.key >= "0" && event.key <= "9" && event.key.length === 1) this.add(event.key);
    else if (event.key === "Backspace") this.remove();
    else if (event.key === "Enter" && this.digits !== "" && !event.target.matches(".keys button:not(.enter)")) this.send();
    else return;
    event.preventDefault();
  }

  add(digit) {
    if (this.digits.length < LONGEST) this.digits += digit;
    this.draw();
  }

  remove() {
    this.digits = this.digits.slice(0, -1);
    this.draw();
  }

  draw() {
    const count = this.digits.length;
    this.dots.textContent = "●".repeat(count) || "–";
    this.dots.setAttribute("aria-label", counted("{n} digit typed", "{n} digits typed", count));
  }

  async send() {
    if (this.busy || this.digits === "") return;
    this.busy = true;
    const body = this.digits;
    this.clear();
    try {
      const answer = await fetch("/staff/pin", { method: "POST", body });
      if (answer.ok) this.entered();
      else this.refusal.textContent = await answer.text();
    } catch {
      this.refusal.textContent = say("The table does not answer: try again in a moment.");
    } finally {
      this.busy = false;
    }
  }
}
