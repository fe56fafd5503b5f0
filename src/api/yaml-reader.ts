// Reading YAML bodies as Kubernetes does: YAML 1.1, the first document only, keys made text, aliases bounded, repeated
// keys noted with their lines. The scanner is the package `yaml`, loaded when the first such body comes.

import type * as yaml from 'yaml';
import { limits } from '../base/limits.ts';
import { setMember } from './json-decoder.ts';
import { jsonText } from './json-reader.ts';
import { withSortedMembers } from './member-order.ts';
import type { Json, JsonObject } from './object.ts';
import { NO_JSON, resolvePlain } from './yaml-scalar.ts';

/** A text that is no YAML, or has no form in JSON. */
export class YamlError extends Error {
  override name = 'YamlError';
}

export interface YamlBody {
  /** Null for an empty document. Members by name: Kubernetes makes JSON of it by way of a map. */
  readonly value: Json;
  /** `line 4: key "a" already set in map`, in the order of the text; the last of equal keys counts. */
  readonly duplicates: readonly string[];
}

/** @throws YamlError */
export async function parseYaml(source: Uint8Array | string): Promise<YamlBody> {
  const library = await import('yaml');
  const text = typeof source === 'string' ? source : jsonText(source);
  try {
    return new Reader(library, text).body();
  } catch (error) {
    // The scanner recurses; what overflows it nests deeper than anybody's object.
    if (error instanceof RangeError) throw new YamlError(TOO_DEEP);
    throw error;
  }
}

const TOO_DEEP = 'yaml: exceeded max depth';

type Node = yaml.ParsedNode | yaml.Node | null;

/** Up to here aliases are free. */
const FREE_ALIASED_NODES = 100;
const FREE_NODES = 1_000;

class Reader {
  readonly #library: typeof yaml;
  readonly #text: string;
  readonly #lines: yaml.LineCounter;
  readonly #duplicates: string[] = [];
  readonly #anchors = new Map<string, yaml.Node>();
  readonly #open = new Set<yaml.Node>();
  #nodes = 0;
  #aliasedNodes = 0;
  #aliases = 0;

  constructor(library: typeof yaml, text: string) {
    this.#library = library;
    this.#text = text;
    this.#lines = new library.LineCounter();
  }

  body(): YamlBody {
    const document = this.#firstDocument();
    const [fault] = document?.errors ?? [];
    // The scanner reports its own overflow as one more fault of the text.
    if (fault?.message.startsWith('Maximum call stack') === true) throw new YamlError(TOO_DEEP);
    if (fault !== undefined) throw this.#error(fault.pos[0], fault.message.split('\n')[0] as string);
    const value = document === undefined ? null : this.#value(document.contents);
    return { value: withSortedMembers(value), duplicates: this.#duplicates };
  }

  #firstDocument(): yaml.Document | undefined {
    const { Composer, Parser } = this.#library;
    const composer = new Composer({
      version: '1.1',
      schema: 'failsafe',
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
    });
    const tokens = new Parser(this.#lines.addNewLine).parse(this.#text);
    for (const document of composer.compose(tokens, true, this.#text.length)) return document;
    return undefined;
  }

  #value(node: Node): Json {
    this.#count();
    if (node === null) return null;
    if (this.#library.isAlias(node)) return this.#aliased(node);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (this.#library.isScalar(node)) return this.#scalar(node);
    if (this.#open.size >= limits.documentDepth) throw new YamlError(TOO_DEEP);
    this.#open.add(node);
    const value = this.#library.isSeq(node)
      ? node.items.map((item) => this.#value(item as Node))
      : this.#object(node as yaml.YAMLMap);
    this.#open.delete(node);
    return value;
  }

  /** A few aliases of aliases make a text of a kilobyte a value of gigabytes; Kubernetes' own measure against it. */
  #count(): void {
    this.#nodes++;
    if (this.#aliases > 0) this.#aliasedNodes++;
    if (this.#aliasedNodes <= FREE_ALIASED_NODES || this.#nodes <= FREE_NODES) return;
    if (this.#aliasedNodes / this.#nodes > allowedAliasShare(this.#nodes)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #aliased(alias: yaml.Alias): Json {
    const node = this.#anchors.get(alias.source);
    if (node === undefined) throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`);
    if (this.#open.has(node)) throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`);
    this.#aliases++;
    const value = this.#value(node);
    this.#aliases--;
    return value;
  }

  #object(map: yaml.YAMLMap): JsonObject {
    const object: JsonObject = {};
    const merged: Json[] = [];
    const seen = new Set<string>();
    for (const { key, value } of map.items as { key: Node; value: Node }[]) {
      if (this.#isMerge(key)) {
        merged.push(this.#value(value));
        continue;
      }
      const name = this.#key(key);
      if (seen.has(name))
        this.#duplicates.push(`line ${this.#line(key)}: key ${JSON.stringify(name)} already set in map`);
      seen.add(name);
      setMember(object, name, this.#value(value));
    }
    for (const source of merged) mergeMissing(object, source);
    return object;
  }

  #isMerge(key: Node): boolean {
    return this.#library.isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
  }

  #key(key: Node): string {
    const value = this.#value(key);
    switch (typeof value) {
      case 'string':
        return value;
      case 'number':
      case 'bigint':
      case 'boolean':
        return String(value);
      default:
        throw this.#error(offsetOf(key), 'unsupported map key');
    }
  }

  #scalar(scalar: yaml.Scalar): Json {
    const text = typeof scalar.value === 'string' ? scalar.value : '';
    const { tag } = scalar;
    if (tag === 'tag:yaml.org,2002:binary') return this.#binary(scalar, text);
    if (tag === 'tag:yaml.org,2002:str' || tag === '!') return text;
    const isTyped =
      tag !== undefined && ['int', 'float', 'bool', 'null'].includes(tag.slice('tag:yaml.org,2002:'.length));
    if (scalar.type !== 'PLAIN' && !isTyped) return text;
    const value = resolvePlain(text);
    if (value === NO_JSON) throw this.#error(offsetOf(scalar), `${text} has no form in JSON`);
    return value;
  }

  #binary(scalar: yaml.Scalar, text: string): string {
    try {
      return jsonText(Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0)));
    } catch {
      throw this.#error(offsetOf(scalar), '!!binary value contains invalid base64 data');
    }
  }

  #line(node: Node): number {
    return this.#lines.linePos(offsetOf(node)).line;
  }

  #error(offset: number, message: string): YamlError {
    return new YamlError(`yaml: line ${this.#lines.linePos(offset).line}: ${message}`);
  }
}

function offsetOf(node: Node): number {
  return node?.range?.[0] ?? 0;
}

/** The share of a document's nodes that may come by aliases: nearly all in small ones, a tenth in huge ones. */
function allowedAliasShare(nodes: number): number {
  const small = 400_000;
  const huge = 4_000_000;
  if (nodes <= small) return 0.99;
  if (nodes >= huge) return 0.1;
  return 0.99 - (0.89 * (nodes - small)) / (huge - small);
}

/** `<<: {…}` or `<<: [{…}, {…}]`: what the map does not say itself, the first source that says it. */
function mergeMissing(object: JsonObject, source: Json): void {
  if (Array.isArray(source)) {
    for (const each of source) mergeMissing(object, each);
    return;
  }
  if (typeof source !== 'object' || source === null)
    throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
  for (const [key, value] of Object.entries(source)) {
    if (!Object.hasOwn(object, key)) setMember(object, key, value as Json);
  }
}
