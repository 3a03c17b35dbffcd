// The socket to the table: keeps itself open, hands on messages by kind, says how it fares.

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

export class Connection {
  // hear: {kind: function(value)}; state(open, sentence) is called when the socket opens or drops.
  constructor(hear, state) {
    this.hear = hear;
    this.state = state;
    this.pause = FIRST_PAUSE_MS;
    this.socket = null;
    this.timer = null;
  }

  // seat: a number as text, "public", or null for what the table thinks best.
  open(seat) {
    this.seat = seat;
    this.drop();
    this.connect();
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  connect() {
    const query = this.seat === null ? "" : `?seat=${encodeURIComponent(this.seat)}`;
    const socket = new WebSocket(`ws://${location.host}/live${query}`);
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      // Only a message shows that we were let in: a refusal, too, opens the socket first.
      this.pause = FIRST_PAUSE_MS;
      this.state(true, "");
      for (const [kind, value] of Object.entries(JSON.parse(data))) this.hear[kind]?.(value);
    };
    socket.onclose = ({ reason }) => {
      if (socket !== this.socket) return;
      this.state(false, reason);
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
