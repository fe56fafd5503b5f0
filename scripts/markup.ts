// Text in the markup that scripts write: HTML of the website and SVG of recordings.

/** A text in which no character is markup, neither between elements nor in an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
