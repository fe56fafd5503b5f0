// State of a run of the decoder, and its error messages, which contain Go's names of types and fields, as clients know
// them. Independent of how values are decoded.

import { jsonWord } from '../api/go-text.ts';
import { isNumber } from '../api/is-object.ts';
import type { Json } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';
import { goFieldType } from './go-field-types.ts';
import type { Field, Node, StructNode } from './node.ts';

export interface DecodeOptions {
  /**
   * The value belongs to the decoder (it comes from the parser and is not shared): canonical parts are returned without
   * copying. Otherwise everything except opaque values is copied.
   */
  readonly owned?: boolean;
  /** Fields behind a disabled gate are dropped silently. Without it all fields are kept. */
  readonly gateEnabled?: (gate: string) => boolean;
  /** The literal of the number at a path, if it is a float: not an integer, even if integral. */
  readonly floats?: ((path: string) => string | undefined) | undefined;
  /**
   * The value was converted from maps, not decoded from text: an integer that is too large for its field loses its
   * upper half.
   */
  readonly restores?: boolean;
  /** Receives the paths of values that strict decoding does not check. */
  readonly opaque?: string[] | undefined;
  /** Receives empty lists and maps that are dropped, and fields behind a disabled gate. */
  readonly empties?: EmptyMember[] | undefined;
  /** Receives the paths of bytes whose emptiness or absence differs from the encoded form. */
  readonly oddBytes?: string[] | undefined;
}

/** A dropped field: an empty list or map, or a field behind a disabled gate. */
export interface EmptyMember {
  /** Names and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** Whether the member is a list; otherwise it is a map. */
  readonly isList: boolean;
  /** The value of a field behind a disabled gate. */
  readonly gated?: Json | undefined;
}

/** A value with the wrong type. The message is Kubernetes'. */
export class DecodeError extends Error {
  override name = 'DecodeError';
  /** The path of the value: `spec.containers[0].image`; empty for the document itself. */
  readonly path: string;
  /** The expected type, if the value has another JSON type. */
  readonly mismatch: Mismatch | undefined;

  constructor(message: string, path: string, mismatch?: Mismatch) {
    super(message);
    this.path = path;
    this.mismatch = mismatch;
  }
}

interface Mismatch {
  /** The Go name of the document's type: `v1.Pod`. */
  readonly root: string;
  /** The Go type: `string`, `[]string`, `v1.Container`. */
  readonly type: string;
  /** The Go name of the field's type, if it has one: `v1.PullPolicy`. */
  readonly named?: string | undefined;
  /** The names within the type of a custom decoder, `properties.a`, if it is there. */
  readonly within?: string;
  readonly value: unknown;
  /** JSON's name for the value, for types with their own unmarshaler. */
  readonly word?: string;
}

export class DecodeState {
  readonly root: StructNode;
  /** The input belongs to the decoder: canonical parts are kept as they are. */
  readonly owned: boolean;
  readonly gateEnabled: ((gate: string) => boolean) | undefined;
  readonly restores: boolean;
  readonly #floats: ((path: string) => string | undefined) | undefined;
  readonly #opaque: string[] | undefined;
  readonly #empties: EmptyMember[] | undefined;
  readonly #oddBytes: string[] | undefined;
  #first: DecodeError | undefined;
  /** Names and indexes from the root; the first `depth` are valid. */
  readonly path: (string | number)[] = [];
  depth = 0;
  keys = 0;
  readonly unknown: string[] = [];
  /** Positive where Kubernetes' strict decoding does not check. */
  unwatched = 0;
  /** Scratch space of the structs being decoded: the fields found and their values. */
  readonly foundAt: number[] = [];
  readonly foundValues: unknown[] = [];
  found = 0;
  /** Values that are known to contain many. */
  readonly long = new WeakSet<object>();

  constructor(
    root: StructNode,
    { owned = false, restores = false, gateEnabled, floats, opaque, empties, oddBytes }: DecodeOptions,
  ) {
    this.root = root;
    this.owned = owned;
    this.restores = restores;
    this.gateEnabled = gateEnabled;
    this.#floats = floats;
    this.#opaque = opaque;
    this.#empties = empties;
    this.#oddBytes = oddBytes;
  }

  /** @returns the decoded form of an empty list or map */
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

  /** Drops empty fields recorded after there were `count`. */
  forgetEmpties(count: number): void {
    if (this.#empties !== undefined) this.#empties.length = count;
  }

  /** A field behind a disabled gate, with its value. */
  noteGated(value: Json): void {
    this.#empties?.push({ path: this.path.slice(0, this.depth), isList: false, gated: value });
  }

  noteOpaque(): void {
    this.#opaque?.push(this.place());
  }

  /** Whether the current number is a float. */
  isFloat(): boolean {
    return this.#floats !== undefined && this.#floats(this.place()) !== undefined;
  }

  /** Enters a level; `leave` returns. */
  enter(): number {
    if (this.depth >= limits.typedDepth) this.fail('exceeded max depth');
    return this.depth++;
  }

  leave(depth: number): void {
    this.depth = depth;
  }

  noteUnknown(): void {
    if (this.unwatched > 0 || this.unknown.length >= limits.strictErrors) return;
    this.unknown.push(this.restores ? pathText(this.#stepsWithoutKeys()) : this.place());
  }

  /** Kubernetes' converter from maps omits the keys of maps in the paths of unknown fields. */
  #stepsWithoutKeys(): (string | number)[] {
    let node: Node | undefined = this.root;
    return this.path.slice(0, this.depth).filter((step) => {
      const parent: Node | undefined = node;
      node = parent === undefined ? undefined : memberOf(parent, step);
      return parent?.kind !== 'map';
    });
  }

  place(): string {
    return pathText(this.path.slice(0, this.depth));
  }

  /**
   * The value has another JSON type than the field. As in Go's decoder, the rest is decoded before this is reported: an
   * error of a custom decoder there takes precedence.
   */
  refuse(value: unknown, node: Node): null {
    return this.#mismatch(jsonWord(value), value, node);
  }

  /** Like `refuse`, for a number that is out of range: the message quotes it. */
  refuseNumber(value: number | bigint, node: Node): null {
    return this.#mismatch(`number ${this.literal(value)}`, value, node);
  }

  /** Like `refuse`, for an item of a list of numbers that stands for bytes. */
  refuseByte(value: unknown): void {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    this.#mismatched(isNumber ? `number ${this.literal(value)}` : jsonWord(value), value, 'uint8');
  }

  #mismatch(found: string, value: unknown, node: Node): null {
    return this.#mismatched(found, value, goType(node));
  }

  #mismatched(found: string, value: unknown, type: string): null {
    if (this.#first !== undefined) return null;
    const { text, named, within } = this.#target();
    const message = `json: cannot unmarshal ${found} into ${text} of type ${named ?? type}`;
    const optional = { ...(named !== undefined && { named }), ...(within !== '' && { within }) };
    const mismatch = { root: goType(this.root), type, ...optional, value };
    this.#first = new DecodeError(message, this.place(), mismatch);
    return null;
  }

  /** Invalid base64, which is reported as late as a wrong type. */
  refuseBytes(message: string): '' {
    this.#first ??= new DecodeError(message, this.place());
    return '';
  }

  /**
   * Begins a custom decoder, whose own values of wrong types are reported at once.
   * @returns the error that is deferred meanwhile, for `endCustomDecoder`
   */
  beginCustomDecoder(): DecodeError | undefined {
    const deferred = this.#first;
    this.#first = undefined;
    return deferred;
  }

  /** @throws DecodeError the first error that it deferred */
  endCustomDecoder(deferred: DecodeError | undefined): void {
    this.end();
    this.#first = deferred;
  }

  /** @throws DecodeError the first deferred error */
  end(): void {
    if (this.#first !== undefined) throw this.#first;
  }

  /** An error of a custom decoder. @param type that it decodes */
  refuseValue(value: unknown, type: string): never {
    const word = type === 'int32' && isNumber(value) ? `number ${this.literal(value)}` : jsonWord(value);
    const mismatch = { root: goType(this.root), type, value, word };
    const message = `json: cannot unmarshal ${word} into ${this.#target().text} of type ${type}`;
    throw new DecodeError(message, this.place(), mismatch);
  }

  /** The text of a number, as it was written if that is known. */
  literal(value: unknown): string {
    return this.#floats?.(this.place()) ?? String(value);
  }

  fail(message: string): never {
    throw new DecodeError(message, this.place());
  }

  /**
   * Go's name of the field: the type of the innermost struct and the names from the root, without indexes and map keys;
   * and that of the value's type, if the field has one.
   */
  #target(): { text: string; named: string | undefined; within: string } {
    let node: Node = this.root;
    let owner = '';
    let named: string | undefined;
    const names: string[] = [];
    const within: string[] = [];
    let isInForm = false;
    for (const step of this.path.slice(0, this.depth)) {
      if (node.kind === 'struct' && node.form !== undefined) {
        // Before 1.35 a custom decoder does not report the names within its type.
        isInForm = true;
        node = formMember(node, typeof step === 'number');
      }
      if (node.kind === 'list' || node.kind === 'map') {
        node = node.kind === 'list' ? node.items : node.values;
        named = itemType(named);
      } else if (node.kind === 'struct') {
        const field = node.jsonFields.get(String(step));
        if (field === undefined) break;
        if (isInForm) {
          within.push(field.name);
        } else {
          owner = node.name.slice(node.name.lastIndexOf('.') + 1);
          names.push(...(node.tellsEmbedded === true ? embeddedAround(field, node) : []), field.name);
        }
        named = goFieldType(node.name, field.name);
        node = field.node;
      }
    }
    const text = names.length === 0 ? 'Go value' : `Go struct field ${owner}.${names.join('.')}`;
    return { text, named, within: within.join('.') };
  }
}

/** The Go names of the embedded structs that a member of a struct is in, the outermost first. */
function embeddedAround({ name }: Field, struct: StructNode): string[] {
  const around = struct.fields.find(
    ({ inline, node }) => inline && node.kind === 'struct' && node.jsonFields.has(name),
  );
  if (around === undefined || struct.fields.some((each) => !each.inline && each.name === name)) return [];
  return [around.name, ...embeddedAround({ ...around, name }, around.node as StructNode)];
}

/** The node of a member or an item; undefined for a field that the schema does not have. */
function memberOf(parent: Node, step: string | number): Node | undefined {
  const node =
    parent.kind === 'struct' && parent.form !== undefined ? formMember(parent, typeof step === 'number') : parent;
  if (node.kind === 'list') return node.items;
  if (node.kind === 'map') return node.values;
  return node.kind === 'struct' ? node.jsonFields.get(String(step))?.node : undefined;
}

/** The type of the items of a list or map; undefined if its name does not contain it. */
function itemType(type: string | undefined): string | undefined {
  return /^(?:\[\]|map\[[^\]]+\])\*?(.+)$/.exec(type ?? '')?.[1];
}

/** The struct of a custom form, or the list that may replace it. */
export function formMember(node: StructNode, asList: boolean): Node {
  const found = node.fields.find((field) => field.node.kind === (asList ? 'list' : 'struct'));
  if (found === undefined) throw new Error(`${node.name} can't be of the form ${node.form}`);
  return found.node;
}

/** A path as in strict decoding: `spec.containers[0].image`. */
function pathText(steps: readonly (string | number)[]): string {
  let text = '';
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += index === 0 ? step : `.${step}`;
  }
  return text;
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
