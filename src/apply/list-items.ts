// Path elements of items in associative lists and sets.

import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { eachOf, inParts } from '../base/resumed.ts';
import type { Steps } from '../base/steps.ts';
import { type PathElement, scalarText, valueElement } from './path-element.ts';
import type { ListValueType } from './value-type.ts';

/** An item without a valid key. */
export class ItemError extends Error {
  override name = 'ItemError';
}

/**
 * The element of one item. Absent keys have their default; without one they are not part of the element, or not allowed
 * before Kubernetes 1.34.
 * @throws ItemError for an invalid item
 */
export function itemElement(list: ListValueType, item: Json): PathElement {
  return list.keys.length === 0 ? setElement(item) : keyedElement(list, item);
}

function setElement(item: Json): PathElement {
  if (item === null) throw new ItemError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new ItemError('not supported: associative list with lists as elements');
  if (isObject(item)) throw new ItemError("associative list without keys has an element that's a map type");
  return valueElement(item);
}

function keyedElement(list: ListValueType, item: Json): PathElement {
  if (item === null) throw new ItemError('associative list with keys may not have a null element');
  if (!isObject(item)) throw new ItemError('associative list with keys may not have non-map elements');
  let keys = '';
  for (const [name, label] of list.labels) {
    const value = keyOf(list, item, name);
    if (value === undefined && list.needsAllKeys) throw missingKey(list, item);
    if (value !== undefined) keys += keys === '' ? `${label}${scalarText(value)}` : `,${label}${scalarText(value)}`;
  }
  if (keys !== '') return `k:{${keys}}`;
  const names = `[${list.keys.map((name) => JSON.stringify(name)).join(' ')}]`;
  throw new ItemError(
    `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  );
}

function keyOf(list: ListValueType, item: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(item, name) ? item[name] : list.items.map?.declared(name)?.default;
}

function missingKey(list: ListValueType, item: JsonObject): ItemError {
  const name = list.keys.find((each) => keyOf(list, item, each) === undefined);
  return new ItemError(
    `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`,
  );
}

/** The elements of a list's items, and the items of each: several if a stored object has duplicates. */
export interface IndexedItems {
  readonly elements: readonly PathElement[];
  readonly byElement: ReadonlyMap<PathElement, readonly Json[]>;
}

/** @throws ItemError */
export function indexItems(list: ListValueType, items: readonly Json[]): IndexedItems {
  const elements = eachOf(items, (item) => itemElement(list, item));
  return { elements, byElement: inParts(() => groupingItems(elements, items)) };
}

const GROUPED_IN_STEP = 1_000;

function* groupingItems(elements: readonly PathElement[], items: readonly Json[]): Steps<Map<PathElement, Json[]>> {
  const byElement = new Map<PathElement, Json[]>();
  for (let index = 0; index < items.length; index++) {
    if (index % GROUPED_IN_STEP === GROUPED_IN_STEP - 1) yield;
    const element = elements[index] as PathElement;
    const item = items[index] as Json;
    const known = byElement.get(element);
    if (known === undefined) byElement.set(element, [item]);
    else known.push(item);
  }
  return byElement;
}
