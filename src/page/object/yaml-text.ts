// YAML in the editor: formatting objects, parsing text, and locating a path of the object in the text.

import { type Document, isMap, isPair, isScalar, isSeq, type Node, parseDocument, stringify } from 'yaml';

export type Path = readonly (string | number)[];

/** Formats an object, with its fields in the server's order. */
export function toYaml(object: unknown): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.1' });
}

interface ParsedYaml {
  /** Undefined if the text does not parse. */
  readonly value: unknown;
  readonly faults: readonly { readonly from: number; readonly to: number; readonly message: string }[];
  readonly document: Document.Parsed;
}

/** Parses text as Kubernetes parses YAML. */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, { version: '1.1', prettyErrors: false });
  const faults = document.errors.map(({ pos: [from, to], message }) => ({ from, to, message }));
  return { value: faults.length === 0 ? document.toJS() : undefined, faults, document };
}

export interface YamlPart {
  /** The offset at which it starts in the whole text. */
  readonly from: number;
  readonly text: string;
}

/** Returns the documents of a text, separated by lines of `---`, including empty ones. */
export function documentsOf(text: string): YamlPart[] {
  const parts: YamlPart[] = [];
  let from = 0;
  for (const { index, 0: line } of text.matchAll(/^---[ \t]*(?:#.*)?(?:\n|$)/gm)) {
    parts.push({ from, text: text.slice(from, index) });
    from = index + line.length;
  }
  return [...parts, { from, text: text.slice(from) }];
}

/**
 * Returns where the field or item at a path is in the text; if the path does not exist, its nearest existing parent.
 */
export function rangeOf({ document }: ParsedYaml, path: Path): { readonly from: number; readonly to: number } {
  let node: Node | null = document.contents;
  let range = { from: 0, to: 0 };
  for (const step of path) {
    if (isMap(node)) {
      const pair: unknown = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!isPair(pair)) break;
      range = rangeOfNode(pair.key as Node) ?? range;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = (node.items[Number(step)] as Node | undefined) ?? null;
      if (node === null) break;
      range = rangeOfNode(node) ?? range;
    } else break;
  }
  return range;
}

/** Returns the path of the map that a field typed at `position` would belong to, and the fields that it already has. */
export function placeAt(
  { document }: ParsedYaml,
  position: number,
): { readonly path: Path; readonly present: readonly string[] } {
  const path: (string | number)[] = [];
  let present: string[] = [];
  let node: Node | null = document.contents as Node | null;
  while (node !== null) {
    if (isMap(node)) {
      present = node.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
      const inside = node.items.find(({ key, value }) => {
        const keyRange = (key as Node).range;
        const end = (value as Node | null)?.range?.[2] ?? keyRange?.[2] ?? 0;
        return keyRange != null && keyRange[1] < position && position <= end;
      });
      if (inside === undefined || !isScalar(inside.key)) break;
      path.push(String(inside.key.value));
      node = inside.value as Node | null;
      present = [];
    } else if (isSeq(node)) {
      const at = node.items.findIndex((item) => {
        const range = (item as Node).range;
        return range != null && range[0] <= position && position <= range[2];
      });
      if (at < 0) break;
      path.push(at);
      node = node.items[at] as Node;
    } else break;
  }
  return { path, present };
}

function rangeOfNode(node: Node | null): { from: number; to: number } | undefined {
  return node?.range == null ? undefined : { from: node.range[0], to: node.range[1] };
}
