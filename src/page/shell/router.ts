// URLs of the page's views, kept in the browser's history so that links, back and reload work.

import { computed, signal } from '@preact/signals';

/** The current location: decoded path segments and the query. */
export interface Place {
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
}

const address = signal(currentAddress());

/** The location shown. */
export const place = computed<Place>(() => {
  const { pathname, searchParams } = new URL(address.value, location.origin);
  return { steps: pathname.split('/').filter(Boolean).map(decodeURIComponent), query: searchParams };
});

/** Returns the URL of a location: `href('r', 'apps', 'v1', 'deployments')`. */
export function href(...steps: readonly string[]): string {
  return `/${steps.map(encodeURIComponent).join('/')}`;
}

/** Navigates to a URL of the page; `replace` does not add a history entry. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = currentAddress();
}

/** Changes the query; undefined or '' removes a parameter. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(text === '' ? location.pathname : `${location.pathname}?${text}`, { replace: true });
}

/** Handles links within the page and the browser's back and forward without a reload. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = currentAddress();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target !== '') return;
    event.preventDefault();
    go(`${link.pathname}${link.search}`);
  });
}

function currentAddress(): string {
  return `${location.pathname}${location.search}`;
}
