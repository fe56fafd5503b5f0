// State of one run of the decoder, and the texts of its errors. Knows how Go names types and fields, because clients
// read those names in messages; knows nothing of how values are read.

import { jsonWord } from '../api/go-text.ts';
import type { Json } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';
import type { LeftForLater } from '../base/steps.ts';
import { goFieldType } from './go-field-types.ts';
import type { Node, StructNode } from './node.ts';

export interface DecodeOptions {
  /**
   * The value belongs to the decoder (it comes from the parser and nobody else holds it): what is canonical already is
   * returned itself and not copied. Without it everything but opaque values is new.
   */
  readonly owned?: boolean;
  /** Fields behind a gate that is off are dropped silently. Without it all fields are kept. */
  readonly gateEnabled?: (gate: string) => boolean;
  /** The number at a path as it was written, where that is as a float: no integer, be it whole or not. */
  readonly floats?: ((path: string) => string | undefined) | undefined;
  /** The value was made of maps, not read as text: an integer that is too large for its field loses its upper half. */
  readonly restores?: boolean;
  /** Takes the paths of values that strict decoding doesn't look into. */
  readonly opaque?: string[] | undefined;
  /** Takes the lists and maps that were given as empty and are left out, and the fields that a gate keeps back. */
  readonly empties?: EmptyMember[] | undefined;
  /** Takes the paths of bytes that are given and empty where none are written, and of none where empty ones are. */
  readonly oddBytes?: string[] | undefined;
  /** Takes what is left of large maps: they are in their places, and filled by this. Without it they are filled at once. */
  readonly later?: LeftForLater;
}

/** A member that was given and is left out: a list or map without items, or what a gate that is off keeps back. */
export interface EmptyMember {
  /** Names and indices from the root. */
  readonly path: readonly (string | number)[];
  /** Else it is a map. */
  readonly isList: boolean;
  /** The value of a field behind a gate that is off. */
  readonly gated?: Json | undefined;
}

/** A value that is not of its field's type. The message is Kubernetes'. */
export class DecodeError extends Error {
  override name = 'DecodeError';
  /** Where the value stands: `spec.containers[0].image`; empty for the document itself. */
  readonly path: string;
  /** What the value should have been, where it was of another JSON type than its field. */
  readonly mismatch: Mismatch | undefined;

  constructor(message: string, path: string, mismatch?: Mismatch) {
    super(message);
    this.path = path;
    this.mismatch = mismatch;
  }
}

interface Mismatch {
  /** Go's name of the document's type: `v1.Pod`. */
  readonly root: string;
  /** What it is in Go: `string`, `[]string`, `v1.Container`. */
  readonly type: string;
  /** Go's name of the field's type, where it has one of its own: `v1.PullPolicy`. */
  readonly named?: string | undefined;
  readonly value: unknown;
}

export class DecodeState {
  readonly root: StructNode;
  /** The input is the decoder's own: parts that are canonical already are kept as they are. */
  readonly owned: boolean;
  readonly gateEnabled: ((gate: string) => boolean) | undefined;
  readonly restores: boolean;
  readonly later: LeftForLater | undefined;
  readonly #floats: ((path: string) => string | undefined) | undefined;
  readonly #opaque: string[] | undefined;
  readonly #empties: EmptyMember[] | undefined;
  readonly #oddBytes: string[] | undefined;
  #first: DecodeError | undefined;
  /** Names and indices from the root; the first `depth` are valid. */
  readonly path: (string | number)[] = [];
  depth = 0;
  keys = 0;
  readonly unknown: string[] = [];
  /** Above zero where Kubernetes' strict decoding doesn't look. */
  unwatched = 0;
  /** Scratch space of the structs that are being read: the fields found and their values. */
  readonly foundAt: number[] = [];
  readonly foundValues: unknown[] = [];
  found = 0;

  constructor(
    root: StructNode,
    { owned = false, restores = false, gateEnabled, floats, opaque, empties, oddBytes, later }: DecodeOptions,
  ) {
    this.root = root;
    this.owned = owned;
    this.restores = restores;
    this.later = later;
    this.gateEnabled = gateEnabled;
    this.#floats = floats;
    this.#opaque = opaque;
    this.#empties = empties;
    this.#oddBytes = oddBytes;
  }

  /** @returns what an empty list or map is decoded to */
  noteEmpty(isList: boolean): null {
    this.#empties?.push({ path: this.path.slice(0, this.depth), isList });
    return null;
  }

  noteOddBytes(): void {
    this.#oddBytes?.push(this.path.slice(0, this.depth).join('.'));
  }

  get emptyCount(): number {
    return this.#empties?.length ?? 0;
  }

  /** Empty members that were noted after there were `count` did not stay. */
  forgetEmpties(count: number): void {
    if (this.#empties !== undefined) this.#empties.length = count;
  }

  /** A field that a gate keeps back, with its value. */
  noteGated(value: Json): void {
    this.#empties?.push({ path: this.path.slice(0, this.depth), isList: false, gated: value });
  }

  noteOpaque(): void {
    this.#opaque?.push(this.place());
  }

  /** Whether the number at hand was written as a float. */
  isFloat(): boolean {
    return this.#floats !== undefined && this.#floats(this.place()) !== undefined;
  }

  /** Goes one level down; `leave` comes back. */
  enter(): number {
    if (this.depth >= limits.typedDepth) this.fail('exceeded max depth');
    return this.depth++;
  }

  leave(depth: number): void {
    this.depth = depth;
  }

  noteUnknown(): void {
    if (this.unwatched === 0 && this.unknown.length < limits.strictErrors) this.unknown.push(this.place());
  }

  place(): string {
    return pathText(this.path.slice(0, this.depth));
  }

  /**
   * The value is of another JSON type than the field. As Go's decoder does, the rest is read before that is told: a
   * type that reads itself may refuse a value there, which counts for more.
   */
  refuse(value: unknown, node: Node): null {
    return this.#mismatch(jsonWord(value), value, node);
  }

  /** As `refuse`, for a number that the type can't hold: the message quotes it. */
  refuseNumber(value: number | bigint, node: Node): null {
    return this.#mismatch(`number ${this.#literal(value)}`, value, node);
  }

  /** As `refuse`, for an item of a list of numbers that are to be bytes. */
  refuseByte(value: unknown): void {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    this.#mismatched(isNumber ? `number ${this.#literal(value)}` : jsonWord(value), value, 'uint8');
  }

  #mismatch(found: string, value: unknown, node: Node): null {
    return this.#mismatched(found, value, goType(node));
  }

  #mismatched(found: string, value: unknown, type: string): null {
    if (this.#first !== undefined) return null;
    const { text, named } = this.#target();
    const message = `json: cannot unmarshal ${found} into ${text} of type ${named ?? type}`;
    const mismatch = { root: goType(this.root), type, ...(named !== undefined && { named }), value };
    this.#first = new DecodeError(message, this.place(), mismatch);
    return null;
  }

  /** Bytes that are not base64, which is reported as late as a wrong type. */
  refuseBytes(message: string): '' {
    this.#first ??= new DecodeError(message, this.place());
    return '';
  }

  /** @throws DecodeError the first fault that was not told at once */
  end(): void {
    if (this.#first !== undefined) throw this.#first;
  }

  /** What a type that reads itself does not take. @param type what it tries to read */
  refuseValue(value: unknown, type: string): never {
    const word = type === 'int32' && isNumber(value) ? `number ${this.#literal(value)}` : jsonWord(value);
    const mismatch = { root: goType(this.root), type, value };
    const message = `json: cannot unmarshal ${word} into ${this.#target().text} of type ${type}`;
    throw new DecodeError(message, this.place(), mismatch);
  }

  #literal(value: unknown): string {
    return this.#floats?.(this.place()) ?? String(value);
  }

  fail(message: string): never {
    throw new DecodeError(message, this.place());
  }

  /**
   * Go's name of the field: the innermost struct's type and the names from the root, without indices and map keys; and
   * that of the value's type, where the field says one.
   */
  #target(): { text: string; named: string | undefined } {
    let node: Node = this.root;
    let owner = '';
    let named: string | undefined;
    const names: string[] = [];
    let isInForm = false;
    for (const step of this.path.slice(0, this.depth)) {
      if (node.kind === 'struct' && node.form !== undefined) {
        // Such a type reads itself: the names within it are not told.
        isInForm = true;
        node = formMember(node, typeof step === 'number');
      }
      if (node.kind === 'list' || node.kind === 'map') {
        node = node.kind === 'list' ? node.items : node.values;
        named = itemType(named);
      } else if (node.kind === 'struct') {
        const field = node.jsonFields.get(String(step));
        if (field === undefined) break;
        if (!isInForm) {
          owner = node.name.slice(node.name.lastIndexOf('.') + 1);
          names.push(field.name);
        }
        named = goFieldType(node.name, field.name);
        node = field.node;
      }
    }
    return { text: names.length === 0 ? 'Go value' : `Go struct field ${owner}.${names.join('.')}`, named };
  }
}

/** The type of the items of a list or map; undefined for one whose own name does not say it. */
function itemType(type: string | undefined): string | undefined {
  return /^(?:\[\]|map\[[^\]]+\])\*?(.+)$/.exec(type ?? '')?.[1];
}

/** The struct of a type with a form of its own, or the list that may stand in its place. */
export function formMember(node: StructNode, asList: boolean): Node {
  const found = node.fields.find((field) => field.node.kind === (asList ? 'list' : 'struct'));
  if (found === undefined) throw new Error(`${node.name} can't be of the form ${node.form}`);
  return found.node;
}

/** A path as strict decoding writes it: `spec.containers[0].image`. */
function pathText(steps: readonly (string | number)[]): string {
  let text = '';
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += index === 0 ? step : `.${step}`;
  }
  return text;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function goType(node: Node): string {
  switch (node.kind) {
    case 'struct':
      return node.name.slice(node.name.lastIndexOf('/') + 1);
    case 'list':
      return `[]${goType(node.items)}`;
    case 'map':
      return `map[string]${goType(node.values)}`;
    default:
      return GO_TYPES[node.kind] ?? node.kind;
  }
}

const GO_TYPES: Readonly<Record<string, string>> = lookup({
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  raw: 'runtime.RawExtension',
  fields: 'v1.FieldsV1',
  json: 'v1.JSON',
});
