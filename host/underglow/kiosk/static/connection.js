// The socket to the table: keeps itself open, hands on messages by kind, says how it fares.

import { LANGUAGE, say } from "./say.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;
const FINAL = 4000;

export const REPLACED = 4002; // another page of this phone took its place

// While it is away; why, if the table said so.
export const reconnecting = (reason) =>
  reason ? say("reconnecting to the table… ({reason})", { reason }) : say("reconnecting to the table…");

export class Connection {
  // hear: {kind: function(value)}; state(open, sentence, code) is called when the socket opens or drops.
  // A close code from 4000 on is final: to try again by itself changes nothing.
  constructor(hear, state, path = "/live") {
    this.hear = hear;
    this.state = state;
    this.path = path;
    this.pause = FIRST_PAUSE_MS;
    this.socket = null;
    this.timer = null;
    // A phone that slept does not know what became of its socket.
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("pageshow", ({ persisted }) => persisted && this.wake());
  }

  wake() {
    if (document.visibilityState !== "visible" || this.socket === null || this.final) return;
    this.pause = FIRST_PAUSE_MS;
    this.open(this.seat);
  }

  // seat: a number as text, "public", "own" (that of this phone), or null for what the table thinks best.
  open(seat) {
    this.seat = seat;
    this.final = false;
    this.drop();
    this.connect();
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  connect() {
    const query = new URLSearchParams({ ...(this.seat === null ? {} : { seat: this.seat }), language: LANGUAGE });
    const socket = new WebSocket(`ws://${location.host}${this.path}?${query}`);
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      // Only a message shows that we were let in: a refusal, too, opens the socket first.
      this.pause = FIRST_PAUSE_MS;
      this.state(true, "", null);
      for (const [kind, value] of Object.entries(JSON.parse(data))) this.hear[kind]?.(value);
    };
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.socket) return;
      this.final = code >= FINAL;
      this.state(false, reason, code);
      if (this.final) return;
      this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    };
  }

  drop() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
