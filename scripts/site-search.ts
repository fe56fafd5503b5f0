// The search of the website, in the browser: the index comes with the script, so that a site that is opened from files
// has a search, too. Without scripts its field is not shown.

import MiniSearch from 'minisearch';
import { options, type Section } from './site-search-options.ts';

/** What is used of the browser; scripts are compiled without its types. */
interface Browser {
  readonly document: { querySelector(selector: string): Element | null; createElement(name: string): Element };
  /** The index, written before this script. */
  readonly searchIndex: string;
}

interface Element {
  hidden: boolean;
  value: string;
  textContent: string;
  href: string;
  readonly dataset: Readonly<Record<string, string>>;
  append(...children: Element[]): void;
  replaceChildren(...children: Element[]): void;
  addEventListener(type: string, listener: () => void): void;
}

const FOUND = 12;

const { document, searchIndex } = globalThis as unknown as Browser;
const field = document.querySelector('input[type=search]')!;
const list = document.querySelector('#found')!;
const index = MiniSearch.loadJSON<Section>(searchIndex, options);

field.hidden = false;
field.addEventListener('input', () => {
  const found = field.value.trim() === '' ? [] : index.search(field.value).slice(0, FOUND);
  list.replaceChildren(
    ...found.map(({ id, title }) => {
      const [item, link] = [document.createElement('li'), document.createElement('a')];
      link.href = `${field.dataset['root']}${id}`;
      link.textContent = title;
      item.append(link);
      return item;
    }),
  );
});
