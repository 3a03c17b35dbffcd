// HTML and SVG elements in one expression each: tag, attributes, children.

const SVG = "http://www.w3.org/2000/svg";

export const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const drawn = new WeakMap(); // element -> what it shows, as JSON

// Build the content of an element anew, only when what it shows has changed; says whether it was.
export function redraw(element, data, build) {
  const wanted = JSON.stringify(data);
  if (drawn.get(element) === wanted) return false;
  drawn.set(element, wanted);
  element.replaceChildren(...build(data).filter(Boolean));
  return true;
}

// Let an element say that; a screen reader hears only of what has changed.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}

function fill(element, attributes, children) {
  set(element, attributes ?? {});
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
