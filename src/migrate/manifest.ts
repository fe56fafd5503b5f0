// One manifest as a tree of YAML nodes that keeps comments, order and style, and the edits that migrations are made of.

import { type Document, isMap, isScalar, isSeq, Pair, Scalar, type YAMLMap, YAMLSeq } from 'yaml';

/** The document that nodes are made for. */
export class Manifest {
  readonly root: YAMLMap;
  /** Changes of meaning, and what the owner of the manifest has to look at; one sentence each. */
  readonly notes: string[] = [];
  readonly #document: Document;

  constructor(document: Document, root: YAMLMap) {
    this.#document = document;
    this.root = root;
  }

  get apiVersion(): string {
    return textOf(this.root, 'apiVersion');
  }

  set apiVersion(apiVersion: string) {
    setValue(this.root, 'apiVersion', new Scalar(apiVersion));
  }

  get kind(): string {
    return textOf(this.root, 'kind');
  }

  /** `default/web`, or `web`; `generateName` ends with an asterisk. */
  get name(): string {
    const metadata = mapAt(this.root, 'metadata');
    if (metadata === undefined) return '';
    const namespace = textOf(metadata, 'namespace');
    const generated = textOf(metadata, 'generateName');
    const name = textOf(metadata, 'name') || (generated === '' ? '' : `${generated}*`);
    return namespace === '' ? name : `${namespace}/${name}`;
  }

  /** The line of the manifest's first member, counted from 1, in the text that it was read from. */
  lineIn(text: string): number {
    const start = (this.root.items[0]?.key as Scalar | undefined)?.range?.[0] ?? 0;
    return text.slice(0, start).split('\n').length;
  }

  /** Where the API version stands in the text, without its quotes. */
  versionAt(text: string): readonly [start: number, end: number] {
    const node = this.root.get('apiVersion', true);
    const [start = 0, end = 0] = (isScalar(node) ? node.range : undefined) ?? [];
    const quotes = /["']/.test(text[start] ?? '') ? 1 : 0;
    return [start + quotes, end - quotes];
  }

  /** A node of a plain value. */
  node(value: unknown): unknown {
    return this.#document.createNode(value);
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

/** The map at a path; undefined where there is none. */
export function mapAt(map: YAMLMap | undefined, ...path: readonly string[]): YAMLMap | undefined {
  const node = path.length === 0 ? map : map?.getIn(path, true);
  return isMap(node) ? node : undefined;
}

/** The maps in the list at a path. */
export function itemsAt(map: YAMLMap | undefined, ...path: readonly string[]): YAMLMap[] {
  const node = map?.getIn(path, true);
  return isSeq(node) ? node.items.filter((item) => isMap(item)) : [];
}

/** The plain value at a path. */
export function valueAt(map: YAMLMap | undefined, ...path: readonly string[]): unknown {
  return map?.getIn(path);
}

export function textOf(map: YAMLMap, key: string): string {
  const value = map.get(key);
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => (isScalar(pair.key) ? pair.key.value : pair.key) === key);
}

/** Gives a member another name where it stands. */
export function rename(map: YAMLMap | undefined, from: string, to: string): void {
  const pair = map === undefined ? undefined : pairOf(map, from);
  if (pair === undefined) return;
  if (isScalar(pair.key)) pair.key.value = to;
  else pair.key = new Scalar(to);
}

/** Puts a node where a member was, with another name; comments at the member stay. */
export function replace(map: YAMLMap, from: string, to: { key: string; value: unknown }): void {
  const pair = pairOf(map, from);
  if (pair === undefined) return;
  rename(map, from, to.key);
  pair.value = to.value;
}

/** Sets a member, a new one as the last. */
export function setValue(map: YAMLMap, key: string, value: unknown): void {
  const pair = pairOf(map, key);
  if (pair === undefined) map.items.push(new Pair(new Scalar(key), value));
  else if (isScalar(pair.value) && isScalar(value)) pair.value.value = value.value;
  else pair.value = value;
}

/** Takes a member out of its map. @returns its value's node */
export function take(map: YAMLMap | undefined, key: string): unknown {
  const pair = map === undefined ? undefined : pairOf(map, key);
  if (map === undefined || pair === undefined) return undefined;
  map.items.splice(map.items.indexOf(pair), 1);
  return pair.value;
}

export function has(map: YAMLMap | undefined, key: string): boolean {
  return map !== undefined && pairOf(map, key) !== undefined;
}

/** Whether a map or list is there and has nothing in it. */
export function isEmptyMap(map: YAMLMap | undefined): boolean {
  return map !== undefined && map.items.length === 0;
}

/** A list of nodes. */
export function sequence(items: readonly unknown[]): YAMLSeq {
  const list = new YAMLSeq();
  list.items.push(...items);
  return list;
}
