// JSON patch operations in mutating policies: `JSONPatch{op: "add", path: "/spec/replicas", value: 3}`. Independent of
// their application.

import { SAME_LENGTH } from '../cel/library/call-cost.ts';
import { type Library, overload } from '../cel/library/library.ts';
import { DYN, STRING, type StructDescription, structType, type Type, type TypeProvider } from '../cel/types/type.ts';
import { equal } from '../cel/value/equality.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { runtimeType } from '../cel/value/runtime-type.ts';
import { StructValue, type Value } from '../cel/value/value.ts';

/** String fields; absent ones are empty. */
const TEXTS = ['op', 'path', 'from'] as const;

export class JsonPatchOperation extends StructValue {
  override readonly type: Type<unknown> = JSON_PATCH_TYPE;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: Value | undefined;

  constructor(fields: { op: string; path: string; from: string; value: Value | undefined }) {
    super();
    this.op = fields.op;
    this.path = fields.path;
    this.from = fields.from;
    this.value = fields.value;
  }

  override get(field: string): Value | undefined {
    if (field === 'value') return this.value;
    const name = TEXTS.find((each) => each === field);
    return name === undefined || this[name] === '' ? undefined : this[name];
  }

  override equals(other: Value): boolean {
    if (!(other instanceof JsonPatchOperation) || TEXTS.some((name) => this[name] !== other[name])) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

export const JSON_PATCH_TYPE = structType<JsonPatchOperation>('JSONPatch');

/** The type of an unknown field of an operation: in Kubernetes it has no name. */
const UNKNOWN_FIELD = structType('');

class OperationFields extends Map<string, Type<unknown>> {
  override get(name: string): Type<unknown> {
    return super.get(name) ?? UNKNOWN_FIELD;
  }
}

const FIELDS = new OperationFields([...TEXTS.map((name) => [name, STRING] as const), ['value', DYN]]);

const DESCRIPTION: StructDescription = Object.freeze({
  type: JSON_PATCH_TYPE,
  fields: FIELDS,
  create: (fields: ReadonlyMap<string, Value>) => {
    const unknown = [...fields.keys()].find((name) => !FIELDS.has(name));
    if (unknown !== undefined) throw new EvaluationError(`unexpected JSONPatchType field: ${unknown}`);
    return new JsonPatchOperation({
      op: textOf(fields, 'op'),
      path: textOf(fields, 'path'),
      from: textOf(fields, 'from'),
      value: fields.get('value'),
    });
  },
});

function textOf(fields: ReadonlyMap<string, Value>, name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value === 'string') return value;
  throw new EvaluationError(`unexpected type ${runtimeType(value).name} for JSONPatchType '${name}' field`);
}

const TYPES: TypeProvider = Object.freeze({
  struct: (name: string) => (name === JSON_PATCH_TYPE.name ? DESCRIPTION : undefined),
  constant: () => undefined,
});

/** The type of operations, and a helper for writing them. */
export const JSON_PATCHES: Library = Object.freeze({
  name: 'JSON patches',
  types: TYPES,
  functions: [
    {
      name: 'jsonpatch.escapeKey',
      overloads: [
        overload('string_jsonpatch_escapeKey_string', [[STRING], STRING], {
          about: 'A key escaped for a path: `~` as `~0` and `/` as `~1`.',
          evaluate: (key) => key.replace(/~/g, '~0').replace(/\//g, '~1'),
          ...SAME_LENGTH,
        }),
      ],
    },
  ],
});
