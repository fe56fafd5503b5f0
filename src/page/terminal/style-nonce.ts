// Style elements of the terminal under the page's Content-Security-Policy, which asks for a nonce. The terminal makes them
// itself while it opens, and has no way to be told one.

/** Runs something that makes style elements, and gives them the nonce of the page. */
export function withStyleNonce(make: () => void): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string) => {
    const element = createElement(name);
    if (name === 'style') element.nonce = nonce;
    return element;
  };
  try {
    make();
  } finally {
    // That of the prototype is seen again.
    Reflect.deleteProperty(document, 'createElement');
  }
}
