// A manifest as a tree of YAML nodes that keeps comments, order and style, and the edits of migrations.

import { type Document, isMap, isScalar, isSeq, Pair, Scalar, type YAMLMap, YAMLSeq } from 'yaml';

/** The document for new nodes. */
export class Manifest {
  readonly root: YAMLMap;
  /** Changes in meaning, and what the owner of the manifest has to check; one sentence each. */
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

  /** The line of the manifest's first member, counted from 1, in the original text. */
  lineIn(text: string): number {
    const start = (this.root.items[0]?.key as Scalar | undefined)?.range?.[0] ?? 0;
    return text.slice(0, start).split('\n').length;
  }

  /** The position of the API version in the text, without quotes. */
  versionAt(text: string): readonly [start: number, end: number] {
    const node = this.root.get('apiVersion', true);
    const [start = 0, end = 0] = (isScalar(node) ? node.range : undefined) ?? [];
    const quotes = /["']/.test(text[start] ?? '') ? 1 : 0;
    return [start + quotes, end - quotes];
  }

  /** A node for a scalar. */
  node(value: unknown): unknown {
    return this.#document.createNode(value);
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

/** The map at a path; undefined if there is none. */
export function mapAt(map: YAMLMap | undefined, ...path: readonly string[]): YAMLMap | undefined {
  const node = path.length === 0 ? map : map?.getIn(path, true);
  return isMap(node) ? node : undefined;
}

/** The maps in the list at a path. */
export function itemsAt(map: YAMLMap | undefined, ...path: readonly string[]): YAMLMap[] {
  const node = map?.getIn(path, true);
  return isSeq(node) ? node.items.filter((item) => isMap(item)) : [];
}

/** The scalar at a path. */
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

/** Renames a member in place. */
export function rename(map: YAMLMap | undefined, from: string, to: string): void {
  const pair = map === undefined ? undefined : pairOf(map, from);
  if (pair === undefined) return;
  if (isScalar(pair.key)) pair.key.value = to;
  else pair.key = new Scalar(to);
}

/** Replaces a member by a node with another name; comments at the member are kept. */
export function replace(map: YAMLMap, from: string, to: { key: string; value: unknown }): void {
  const pair = pairOf(map, from);
  if (pair === undefined) return;
  rename(map, from, to.key);
  pair.value = to.value;
}

/** Sets a member, appending a new one. */
export function setValue(map: YAMLMap, key: string, value: unknown): void {
  const pair = pairOf(map, key);
  if (pair === undefined) map.items.push(new Pair(new Scalar(key), value));
  else if (isScalar(pair.value) && isScalar(value)) pair.value.value = value.value;
  else pair.value = value;
}

/** Removes a member from its map. @returns its value's node */
export function take(map: YAMLMap | undefined, key: string): unknown {
  const pair = map === undefined ? undefined : pairOf(map, key);
  if (map === undefined || pair === undefined) return undefined;
  map.items.splice(map.items.indexOf(pair), 1);
  return pair.value;
}

export function has(map: YAMLMap | undefined, key: string): boolean {
  return map !== undefined && pairOf(map, key) !== undefined;
}

/** Whether a map or list is present and empty. */
export function isEmptyMap(map: YAMLMap | undefined): boolean {
  return map !== undefined && map.items.length === 0;
}

/** A list of nodes. */
export function sequence(items: readonly unknown[]): YAMLSeq {
  const list = new YAMLSeq();
  list.items.push(...items);
  return list;
}
