// The language's conformance tests, the whole way: parse, check, plan and evaluate. The cases come with the package
// @bufbuild/cel-spec. Left out are, by rules that name them, values that are protobuf messages, which no resource
// holds, and libraries that are not served.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Declarations } from './check/declarations.ts';
import { Environment, type EnvironmentOptions } from './environment.ts';
import { BINDINGS } from './library/bindings.ts';
import { type FunctionDeclaration, type Overload, overload } from './library/library.ts';
import { OPTIONAL } from './library/optional.ts';
import { standardLibrary } from './library/standard/standard.ts';
import { STANDARD_MACROS } from './library/standard-macros.ts';
import { STRINGS } from './library/strings.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from './library/two-variable-comprehensions.ts';
import { Program } from './plan/program.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  nullable,
  opaqueType,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from './types/type.ts';
import { ArrayList } from './value/array-list.ts';
import { equal } from './value/equality.ts';
import { EvaluationError } from './value/evaluation-error.ts';
import { canonicalInt } from './value/int.ts';
import { HashMap } from './value/map.ts';
import { runtimeType } from './value/runtime-type.ts';
import { Double, ListValue, MapValue, Optional, Uint, type Value } from './value/value.ts';

interface Case {
  readonly path: string;
  readonly expr: string;
  readonly container?: string;
  readonly typeEnv?: readonly Declared[];
  readonly bindings?: Readonly<Record<string, { readonly value: ProtoValue }>>;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly value?: ProtoValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result: ProtoValue };
}

interface Declared {
  readonly name: string;
  readonly ident?: { readonly type: ProtoType };
  readonly function?: { readonly overloads: readonly ProtoOverload[] };
}

interface ProtoOverload {
  readonly overloadId: string;
  readonly params?: readonly ProtoType[];
  readonly resultType: ProtoType;
  readonly isInstanceFunction?: boolean;
}

/** A type in the JSON of protobuf's cel.expr.Type. */
interface ProtoType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly null?: unknown;
  readonly type?: ProtoType;
  readonly listType?: { readonly elemType: ProtoType };
  readonly mapType?: { readonly keyType: ProtoType; readonly valueType: ProtoType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly ProtoType[] };
}

/** A value in the JSON of protobuf's cel.expr.Value. */
interface ProtoValue {
  readonly nullValue?: unknown;
  readonly boolValue?: boolean;
  readonly int64Value?: string | number;
  readonly uint64Value?: string | number;
  readonly doubleValue?: string | number;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly ProtoValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: ProtoValue; readonly value: ProtoValue }[] };
  readonly objectValue?: { readonly '@type': string };
  readonly enumValue?: unknown;
}

async function cases(): Promise<readonly Case[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the package's data has no types
  const { tests } = (await import('@bufbuild/cel-spec/testdata/conformance.js')) as any;
  const found: Case[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the package's data has no types
  const collect = (suite: any, path: string): void => {
    for (const test of suite.tests ?? []) found.push({ ...test.original, path: `${path}/${test.original.name}` });
    for (const child of suite.suites ?? []) collect(child, path === '' ? child.name : `${path}/${child.name}`);
  };
  collect(tests, '');
  return found;
}

const PRIMITIVES: Readonly<Record<string, Type<unknown>>> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
};

function typeFrom(proto: ProtoType): Type<unknown> {
  if (proto.primitive !== undefined) return PRIMITIVES[proto.primitive]!;
  if (proto.wrapper !== undefined) return nullable(PRIMITIVES[proto.wrapper]!);
  if (proto.wellKnown !== undefined) return { ANY: DYN, DURATION, TIMESTAMP }[proto.wellKnown]!;
  if (proto.typeParam !== undefined) return parameter(proto.typeParam);
  if (proto.listType !== undefined) return listOf(typeFrom(proto.listType.elemType));
  if (proto.mapType !== undefined) return mapOf(typeFrom(proto.mapType.keyType), typeFrom(proto.mapType.valueType));
  if (proto.type !== undefined) return Object.keys(proto.type).length === 0 ? typeOf() : typeOf(typeFrom(proto.type));
  if (proto.abstractType !== undefined) {
    return opaqueType(proto.abstractType.name, (proto.abstractType.parameterTypes ?? []).map(typeFrom));
  }
  return proto.null === undefined ? DYN : NULL;
}

const TYPES: readonly Type<unknown>[] = [
  BOOL,
  INT,
  UINT,
  DOUBLE,
  STRING,
  BYTES,
  NULL,
  listOf(DYN),
  mapOf(DYN, DYN),
  typeOf(),
  TIMESTAMP,
  DURATION,
  opaqueType('optional_type'),
];

function valueFrom(proto: ProtoValue): Value {
  if (proto.boolValue !== undefined) return proto.boolValue;
  if (proto.int64Value !== undefined) return canonicalInt(BigInt(proto.int64Value));
  if (proto.uint64Value !== undefined) return new Uint(canonicalInt(BigInt(proto.uint64Value)));
  if (proto.doubleValue !== undefined) return new Double(Number(proto.doubleValue));
  if (proto.stringValue !== undefined) return proto.stringValue;
  if (proto.bytesValue !== undefined) return new Uint8Array(Buffer.from(proto.bytesValue, 'base64'));
  if (proto.typeValue !== undefined) return TYPES.find((type) => type.name === proto.typeValue)!;
  if (proto.listValue !== undefined) return new ArrayList((proto.listValue.values ?? []).map(valueFrom));
  if (proto.mapValue !== undefined) {
    return HashMap.of((proto.mapValue.entries ?? []).map(({ key, value }) => [valueFrom(key), valueFrom(value)]));
  }
  return null;
}

/** The same value of the same type, NaN too. */
function isSame(left: Value, right: Value): boolean {
  if (runtimeType(left).name !== runtimeType(right).name) return false;
  if (left instanceof Double && right instanceof Double) return Object.is(left.value, right.value);
  if (left instanceof ListValue && right instanceof ListValue) {
    return (
      left.size === right.size && Array.from({ length: left.size }).every((_, i) => isSame(left.at(i), right.at(i)))
    );
  }
  if (left instanceof MapValue && right instanceof MapValue) {
    return (
      left.size === right.size &&
      left.keys().every((key) => right.get(key) !== undefined && isSame(left.get(key)!, right.get(key)!))
    );
  }
  return equal(left, right);
}

const UNSERVED_SUITES: Readonly<Record<string, string>> = {
  block_ext: 'blocks are made by optimizers, not written in rules',
  encoders_ext: 'Kubernetes has no library of encoders',
  enums: 'enums of messages',
  math_ext: 'Kubernetes has no library of mathematics',
  proto2: 'messages',
  proto2_ext: 'messages',
  proto3: 'messages',
};

const UNSERVED_SECTIONS: Readonly<Record<string, string>> = {
  'fields/quoted_map_fields': 'Kubernetes does not switch on quoted field names',
};

/** Cases that cel-go v0.26, as Kubernetes sets it up, answers otherwise than the specification. */
const ANSWERED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'the last of two equal keys stays': [
    'fields/qualified_identifier_resolution/map_value_repeat_key',
    'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous',
  ],
  'doubles can be keys of literals': ['fields/qualified_identifier_resolution/map_key_float'],
  'what has no fields has no field, which is not an error': [
    'optionals/optionals/map_null_entry_no_such_key',
    'optionals/optionals/map_present_key_invalid_field',
  ],
  'version 2 of the strings library finds nothing beyond the end': [
    'string_ext/value_errors/indexof_out_of_range',
    'string_ext/value_errors/lastindexof_out_of_range',
  ],
  'version 2 of the strings library formats so': [
    'string_ext/format/NaN support for decimal',
    'string_ext/format/NaN support for scientific notation',
    'string_ext/format/default precision for scientific notation',
    'string_ext/format/dyntype NaN/infinity support',
    'string_ext/format/dyntype support for lists',
    'string_ext/format/dyntype support for maps',
    'string_ext/format/dyntype support for scientific notation',
    'string_ext/format/list support for string',
    'string_ext/format/map support (all key types)',
    'string_ext/format/map support for string',
    'string_ext/format/negative infinity support for decimal',
    'string_ext/format/negative infinity support for fixed-point',
    'string_ext/format/negative infinity support for scientific notation',
    'string_ext/format/positive infinity support for decimal',
    'string_ext/format/positive infinity support for fixed-point',
    'string_ext/format/positive infinity support for scientific notation',
    'string_ext/format/scientific notation formatting clause',
    'string_ext/format/scientific notation formatting clause in a string variable',
  ],
};

/** Why a case is left out; undefined for one that counts. */
function omission({ path, expr, typeEnv = [], bindings = {}, value = {} }: Case): string | undefined {
  const [suite = '', section = ''] = path.split('/');
  const unserved = UNSERVED_SUITES[suite] ?? UNSERVED_SECTIONS[`${suite}/${section}`];
  if (unserved !== undefined) return unserved;
  const declared = JSON.stringify([typeEnv, bindings, value]);
  if (/"messageType"|"objectValue"|"enumValue"/.test(declared)) return 'messages';
  if (/TestAllTypes|GlobalEnum|google\.protobuf\.Any/.test(expr)) return 'messages';
  return Object.keys(ANSWERED_OTHERWISE).find((reason) => ANSWERED_OTHERWISE[reason]!.includes(path));
}

/** Functions that cases declare: of `fn` nothing is known, and calls of it are never evaluated. */
function functionFrom({ name, function: declared }: Declared): FunctionDeclaration {
  const overloads = declared!.overloads.map(
    (each): Overload => ({
      ...overload(each.overloadId, [(each.params ?? []).map(typeFrom), typeFrom(each.resultType)], {
        evaluate: () => null,
      }),
      method: each.isInstanceFunction ?? false,
    }),
  );
  return { name, overloads };
}

const BASE: EnvironmentOptions = {
  libraries: [
    standardLibrary(),
    { name: 'macros', functions: [], macros: STANDARD_MACROS },
    BINDINGS,
    OPTIONAL,
    STRINGS,
    TWO_VARIABLE_COMPREHENSIONS,
  ],
  crossTypeNumericComparisons: true,
  optionalSyntax: true,
};
const ENVIRONMENT = new Environment(BASE);
const DECLARATIONS = new Declarations(BASE);

interface Outcome {
  readonly value?: Value;
  readonly error?: string;
  readonly issue?: string;
}

function outcomeOf(each: Case, foldConstants: boolean): Outcome {
  const declared = (each.typeEnv ?? []).filter(({ function: signature }) => signature !== undefined).map(functionFrom);
  const variables = (each.typeEnv ?? []).flatMap(({ name, ident }) =>
    ident === undefined ? [] : [{ name, type: typeFrom(ident.type) }],
  );
  const options = {
    libraries: [{ name: 'declared', functions: declared }],
    variables,
    container: each.container ?? '',
  };
  const environment = ENVIRONMENT.extend(options);
  const { parsed, issues } = environment.parse(each.expr);
  if (parsed === undefined) return { issue: issues[0]!.message };
  const checking = each.disableCheck === true ? undefined : environment.check(parsed);
  if (checking !== undefined && checking.checked === undefined) return { issue: checking.issues[0]!.message };
  try {
    const program = new Program(checking?.checked ?? parsed, new Declarations(options, DECLARATIONS), {
      foldConstants,
    });
    const bindings = Object.entries(each.bindings ?? {}).map(([name, { value }]) => [name, valueFrom(value)]);
    return { value: program.evaluate(Object.fromEntries(bindings)).value };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { error: error.message };
  }
}

function verify(each: Case, foldConstants: boolean): void {
  const outcome = outcomeOf(each, foldConstants);
  if (each.checkOnly === true) {
    assert.equal(outcome.issue, undefined, each.expr);
  } else if (each.evalError !== undefined) {
    assert.ok(outcome.error !== undefined, `${each.expr}: no error but ${JSON.stringify(outcome)}`);
  } else {
    const expected = valueFrom(each.value ?? each.typedResult?.result ?? { boolValue: true });
    assert.ok(
      outcome.value !== undefined && isSame(outcome.value, expected),
      `${each.path} ${each.expr}: ${String(outcome.error ?? outcome.issue)} ${inspect(outcome.value)} instead of ${inspect(expected)}`,
    );
  }
}

function inspect(value: Value | undefined): string {
  if (value instanceof Optional) return `optional(${inspect(value.value)})`;
  return `${value === undefined ? '' : runtimeType(value).name} ${JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))}`;
}

const all = await cases();
const counted = all.filter((each) => omission(each) === undefined);

/** Where constants are folded, `dyn(b'')` is one, and no program is made that asks a map for it: as in Kubernetes. */
const REFUSED_WHEN_FOLDED: ReadonlySet<string> = new Set([
  'fields/map_fields/map_bad_key_type_or_true',
  'fields/map_fields/map_bad_key_type_and_false',
]);

describe('conformance with the tests of CEL', () => {
  for (const each of counted) {
    it(`CEL conforms to the test ${each.path}`, () => {
      if (REFUSED_WHEN_FOLDED.has(each.path)) {
        assert.deepEqual(outcomeOf(each, true), { error: 'invalid qualifier type: types.Bytes' });
      } else {
        verify(each, true);
      }
      verify(each, false);
    });
  }

  it('conformance with the tests of CEL skips exactly the expected number of tests', () => {
    assert.equal(all.length, 2344);
    assert.equal(counted.length, 1473);
  });
});
