// Creates page elements and formats numbers.

/** Appends an element with attributes and text to `parent` and returns it. */
export function make(parent, tag, attributes, text) {
  return append(parent, document.createElement(tag), attributes, text);
}

/** Like `make`, for an element of an SVG picture. */
export function makeSvg(parent, tag, attributes, text) {
  return append(parent, document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, text);
}

function append(parent, element, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** Formats a number from 0 to 100 as a percentage. */
export const percent = (value) => `${Math.round(value)} %`;
