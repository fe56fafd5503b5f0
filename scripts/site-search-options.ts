// How the website's pages are searched: the same for the index as it is built, and as it is read.

import type { Options } from 'minisearch';

/** What is found: a page, or a part of one with its heading. */
export interface Section {
  /** The page and the heading's anchor. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const options: Options<Section> = {
  fields: ['title', 'text'],
  storeFields: ['title'],
  searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
