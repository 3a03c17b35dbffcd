// Where things are, in mm from the board's top-left corner: spaces, edges between them, neighbours by direction.

const GAP_MM = 8;
const TRAY_MM = 36;
const TRAY_LENGTH_MM = 120;
const FRAME_MM = 6;
const EDGE = 0.4; // from the middle of a space to its edge lamps and readers, in hexes, as board profiles have it

export class Geometry {
  constructor(board) {
    this.board = board;
    this.hex = board.hex_mm; // flat to flat; the hexes point up
    this.radius = board.hex_mm / Math.sqrt(3);
    this.spaces = new Map(board.spaces.map((space) => [space.id, space]));
    this.place("below");
  }

  // Put the tray for tokens in hand beside or below the board, whichever leaves the board larger.
  place(side) {
    const { width_mm: width, height_mm: height } = this.board;
    this.tray =
      side === "beside"
        ? { x: -GAP_MM - TRAY_MM, y: (height - TRAY_LENGTH_MM) / 2, width: TRAY_MM, height: TRAY_LENGTH_MM }
        : { x: 0, y: height + GAP_MM, width, height: TRAY_MM };
    const left = side === "beside" ? GAP_MM + TRAY_MM : 0;
    const below = side === "beside" ? 0 : GAP_MM + TRAY_MM;
    this.view = {
      x: -FRAME_MM - left,
      y: -FRAME_MM,
      width: width + left + 2 * FRAME_MM,
      height: height + below + 2 * FRAME_MM,
    };
    this.upright = side === "beside";
  }

  // The middle of a space ("h19"), or what lies just inside one of its edges ("h19.e2").
  centre(place) {
    const [id, edge] = place.split(".");
    const { x_mm: x, y_mm: y } = this.spaces.get(id);
    if (!edge) return { x, y };
    const angle = (Math.PI / 3) * Number(edge.slice(1));
    return { x: x + EDGE * this.hex * Math.cos(angle), y: y + EDGE * this.hex * Math.sin(angle) };
  }

  // A seat in the tray for the nth of several tokens.
  inTray(n) {
    const { x, y, width, height } = this.tray;
    const step = 26;
    return this.upright
      ? { x: x + width / 2, y: y + 34 + n * step }
      : { x: x + 40 + n * step, y: y + height / 2 };
  }

  // Half the size of a space, as a reach around its centre.
  half(space) {
    if (space.kind !== "zone") return { x: this.hex / 2, y: this.hex / 2 };
    const [width, height] = this.board.zone_mm;
    return { x: width / 2, y: height / 2 };
  }

  hexagon(space, inset = 0) {
    const radius = this.radius - inset;
    return [0, 1, 2, 3, 4, 5].map((corner) => {
      const angle = (Math.PI / 3) * corner - Math.PI / 2;
      return { x: space.x_mm + radius * Math.cos(angle), y: space.y_mm + radius * Math.sin(angle) };
    });
  }

  // The edge two neighbouring hexes share, as two points and the direction from one to the other.
  edge(first, second) {
    const [a, b] = [this.centre(first), this.centre(second)];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const along = { x: (a.y - b.y) / length, y: (b.x - a.x) / length };
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const at = (t) => ({ x: middle.x + along.x * t * this.radius, y: middle.y + along.y * t * this.radius });
    return { from: at(-0.5), to: at(0.5), middle, along };
  }

  // The space under a point: the nearest whose half size reaches it; null for none.
  under(point) {
    let best = null;
    for (const space of this.spaces.values()) {
      const [dx, dy] = [Math.abs(point.x - space.x_mm), Math.abs(point.y - space.y_mm)];
      const half = this.half(space);
      const inside = space.kind === "zone" ? dx <= half.x && dy <= half.y : Math.hypot(dx, dy) <= half.x;
      const distance = Math.hypot(dx, dy);
      if (inside && (best === null || distance < best.distance)) best = { id: space.id, distance };
    }
    return best?.id ?? null;
  }

  // The next stop from a point in a direction (unit vector), or undefined. Stops are the spaces and null, the tray.
  // `rail` is the line the walk began on, so that up, up, up climbs straight though hexes lie staggered.
  next(point, direction, rail = point) {
    const trayStop = { x: this.tray.x + this.tray.width / 2, y: this.tray.y + this.tray.height / 2 };
    const stops = [...this.spaces.keys()].map((id) => [id, this.centre(id)]);
    // The tray lies along a whole side: from everywhere it is straight ahead.
    stops.push([null, this.upright ? { x: trayStop.x, y: point.y } : { x: point.x, y: trayStop.y }]);
    let best;
    for (const [id, at] of stops) {
      const ahead = (at.x - point.x) * direction.x + (at.y - point.y) * direction.y;
      if (ahead < this.hex / 4) continue;
      const aside = Math.abs((at.x - point.x) * direction.y - (at.y - point.y) * direction.x);
      const astray = Math.abs((at.x - rail.x) * direction.y - (at.y - rail.y) * direction.x);
      if (aside > ahead * 1.2) continue;
      const cost = ahead + 1.5 * astray;
      if (best === undefined || cost < best.cost) best = { id, cost };
    }
    return best?.id;
  }
}
