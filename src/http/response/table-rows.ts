// Table rows as JSON. The cells of an object are computed once for each of its versions and cached as text, with
// placeholders for ages; its metadata is cut from its bytes.

import { Buffer } from 'node:buffer';
import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject } from '../../api/object.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import type { TableColumns } from '../../resources/definition.ts';
import { DEFAULT_TABLE } from '../../resources/table.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import { readingStored } from '../../verbs/stored-form.ts';
import { type Form, FormKind, type KeptForms } from '../../watchcache/kept-forms.ts';
import type { ObjectEncoder } from './object-bytes.ts';
import type { IncludeObject, MetaVersion } from './table.ts';

/** Text in ASCII, or bytes of text in UTF-8. */
export type TextPart = string | Buffer;

/** The beginning of an object with only metadata, up to the metadata. */
export function metadataStart(version: MetaVersion): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":`;
}

/** Memory overhead of a cached row besides its text, in bytes, and of each cell that contains an age. */
const OVERHEAD = 160;

/** A row up to its object. */
class RowHead implements Form {
  readonly size: number;
  readonly #before: readonly (readonly [text: string, cell: (nowMs: number) => string])[];
  readonly #end: string;
  readonly #isAscii: boolean;

  constructor(object: ApiObject, { cells, conditions }: TableColumns) {
    const before: [string, (nowMs: number) => string][] = [];
    let text = '{"cells":[';
    for (const [index, cell] of cells(object).entries()) {
      if (index > 0) text += ',';
      if (typeof cell !== 'function') {
        text += stringifyJson(cell);
        continue;
      }
      before.push([text, cell]);
      text = '';
    }
    const said = conditions?.(object);
    this.#end = `${text}]${said === undefined ? '' : `,"conditions":${stringifyJson(said)}`},"object":`;
    this.#before = before;
    const texts = [this.#end, ...before.map(([each]) => each)];
    this.#isAscii = texts.every((each) => isAscii(each));
    this.size = texts.reduce((sum, each) => sum + each.length * (this.#isAscii ? 1 : 2) + OVERHEAD, 0);
  }

  /** @returns ASCII as a string, other text as bytes */
  at(nowMs: number): TextPart {
    let out = '';
    for (const [text, cell] of this.#before) out += text + stringifyJson(cell(nowMs));
    out += this.#end;
    return this.#isAscii ? out : Buffer.from(out);
  }
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** By encoder: another version of a definition may have other columns. */
const kinds = new WeakMap<ObjectEncoder, FormKind<RowHead>>();

interface TableRowsOptions {
  readonly encoder: ObjectEncoder;
  /** The cache of row heads; undefined for none. */
  readonly forms: KeptForms | undefined;
  readonly include: IncludeObject;
  readonly version: MetaVersion;
}

/**
 * Builds the rows of a table, or of the tables of a watch, as compact JSON. The same rows as values are those of
 * TableMaker; this class exists beside it because a list of 10,000 objects would otherwise compute every cell and copy
 * all metadata for each request.
 */
export class TableRows {
  readonly #options: TableRowsOptions;
  readonly #columns: TableColumns;
  readonly #kind: FormKind<RowHead>;
  readonly #metadataStart: string;

  constructor(options: TableRowsOptions) {
    const { encoder, version } = options;
    this.#options = options;
    this.#metadataStart = metadataStart(version);
    this.#columns = encoder.definition.table ?? DEFAULT_TABLE;
    const kind = kinds.get(encoder) ?? new FormKind<RowHead>();
    kinds.set(encoder, kind);
    this.#kind = kind;
  }

  /** Like makingParts, at once. */
  parts(object: StoredObject, nowMs: number): readonly TextPart[] {
    return atOnce(this.makingParts(object, nowMs));
  }

  /** One row, in slices for a long object. @param nowMs since the Unix epoch, for ages */
  *makingParts(object: StoredObject, nowMs: number): Steps<readonly TextPart[]> {
    const { encoder, include } = this.#options;
    const head = (yield* this.#head(object)).at(nowMs);
    if (include === 'None') return [head, 'null}'];
    if (include === 'Object') return [head, encoder.json(object), '}'];
    const metadata = yield* encoder.encodingMetadata(object);
    const start = this.#metadataStart + metadata.head;
    return typeof head === 'string' ? [head + start, metadata.tail, '}}'] : [head, start, metadata.tail, '}}'];
  }

  *#head(object: StoredObject): Steps<RowHead> {
    const { encoder, forms } = this.#options;
    const known = forms?.known(this.#kind, object);
    if (known !== undefined) return known;
    const stored = yield* readingStored(encoder.definition, object);
    yield;
    const make = () => new RowHead(stored, this.#columns);
    return forms === undefined ? make() : forms.form(this.#kind, object, make);
  }
}
