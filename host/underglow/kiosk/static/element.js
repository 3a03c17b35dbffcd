// HTML and SVG elements in one expression each: tag, attributes, children.

const SVG = "http://www.w3.org/2000/svg";

export const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

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
