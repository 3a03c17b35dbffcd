// The page: joins socket, board, figures and panel. The state is what the server said last, and nothing else.

import { BoardDrawing } from "./board.js";
import { Connection } from "./connection.js";
import { Figures } from "./figures.js";
import { Geometry } from "./geometry.js";
import { Maze } from "./maze.js";
import { Panel } from "./panel.js";
import { Pieces } from "./pieces.js";

const root = document.querySelector("#table");
const part = (id) => root.querySelector(`#${id}`);

let board = null; // what the server said last, by kind
let table = null;
let magnets = null;
let scene = null; // {drawing, maze, figures, pieces}
let names = new Map(); // space of the board -> its name in the scenario

const panel = new Panel(root, {
  choose: (index, number) => connection.send({ choose: index, number }),
  turn: (way, number) => connection.send({ [way]: number }),
  seat: (seat) => {
    history.replaceState(null, "", `?seat=${seat}`);
    connection.open(seat);
  },
});

const connection = new Connection(
  {
    board(message) {
      if (JSON.stringify(board) !== JSON.stringify(message)) build(message);
    },
    table(message) {
      table = message;
      part("title").textContent = table.title;
      document.title = `${table.title} · Underglow`;
      names = new Map(Object.entries(table.overlay).map(([name, space]) => [space, name]));
      draw();
    },
    magnets(message) {
      magnets = message;
      scene?.figures.see(magnets);
      drawPieces();
    },
    glow(strip) {
      scene?.drawing.light(strip);
    },
  },
  (open, reason) => {
    root.dataset.live = String(open);
    if (scene) scene.figures.movable = open && board.bench;
    if (open) return;
    scene?.figures.letGo();
    panel.link({ state: "connecting", says: `reconnecting to the table…${reason ? ` (${reason})` : ""}` });
  },
);

function build(message) {
  board = message;
  part("surface").setAttribute("aria-label", `Board ${board.title}`);
  const drawing = new BoardDrawing(part("surface"), new Geometry(board));
  const figures = new Figures(drawing, {
    send: (sent) => connection.send(sent),
    whisper: (sentence) => (part("whisper").textContent = sentence),
    hint: (sentence) => (part("hint").textContent = sentence ?? idle()),
    nameOf: (place) => place.replace(/^[^.]+/, (space) => names.get(space) ?? space),
  });
  figures.movable = board.bench;
  const { layers, geometry } = drawing;
  scene = { drawing, figures, maze: new Maze(layers.maze, geometry), pieces: new Pieces(layers.pieces, geometry) };
  part("hint").textContent = idle();
}

function idle() {
  return board.bench
    ? "Simulated board: drag a figure, or click it and then a space. Keyboard: Tab, Enter, arrows."
    : "Move the figures on the board; this page follows.";
}

function draw() {
  if (!scene || !table) return;
  panel.draw(table);
  scene.drawing.print(table.overlay, table.view);
  scene.maze.draw(table.view, table.overlay);
  scene.figures.believe(table);
  drawPieces();
}

function drawPieces() {
  if (!scene || !table) return;
  const { figures, pieces } = scene;
  pieces.draw(table.view, table.overlay, figures.tokens(), figures.taken());
  figures.makeRoom(pieces.covered);
}

new ResizeObserver(() => {
  if (!scene) return;
  scene.drawing.fit();
  scene.figures.draw();
}).observe(part("board"));

connection.open(new URLSearchParams(location.search).get("seat"));
