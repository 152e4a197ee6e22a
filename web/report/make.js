// Elements and numbers of a page.

/** A new element inside `parent`, with these attributes and this text. */
export function make(parent, tag, attributes, text) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** A number from 0 to 100 as people write it. */
export const percent = (value) => `${Math.round(value)} %`;
