// Selectors as kubectl prints them, which is also how a list of the console is filtered.

import { labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';

/** Returns the text of a LabelSelector, `app=web,tier in (a,b)`; '' if there is none or it is invalid. */
export function selectorText(selector: unknown): string {
  if (typeof selector !== 'object' || selector === null) return '';
  try {
    return labelSelectorOf(selector as JsonObject).toString();
  } catch {
    return '';
  }
}
