// What cel-go's checker says of the expressions of the language's conformance tests: types, overloads and errors. The
// cases come with the package @bufbuild/cel-spec, messages with their descriptors.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { type DescField, type DescMessage, type Registry, ScalarType } from '@bufbuild/protobuf';
import { Environment, type EnvironmentOptions, type Variable } from '../environment.ts';
import { BINDINGS } from '../library/bindings.ts';
import { type FunctionDeclaration, type Library, method, type Overload, overload } from '../library/library.ts';
import { OPTIONAL } from '../library/optional.ts';
import { standardLibrary } from '../library/standard/standard.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { STRINGS } from '../library/strings.ts';
import type { Expression, Literal } from '../syntax/expression.ts';
import { issuesText } from '../syntax/issue-text.ts';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  nullable,
  opaqueType,
  parameter,
  STRING,
  type StructDescription,
  structType,
  TIMESTAMP,
  Type,
  type TypeProvider,
  typeOf,
  UINT,
} from '../types/type.ts';
import { typeText } from '../types/type-text.ts';
import type { CheckedExpression } from './checked-expression.ts';

interface Case {
  readonly path: string;
  readonly expr: string;
  readonly container: string;
  readonly typeEnv: readonly Declared[];
  readonly checkedAst: string | undefined;
  readonly type: string | undefined;
  readonly error: string | undefined;
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
  readonly dyn?: object;
  readonly null?: null | 'NULL_VALUE';
  readonly error?: object;
  readonly type?: ProtoType;
  readonly listType?: { readonly elemType: ProtoType };
  readonly mapType?: { readonly keyType: ProtoType; readonly valueType: ProtoType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly ProtoType[] };
}

async function casesOf(name: 'conformance' | 'checking'): Promise<readonly Case[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the package's data has no types
  const { tests } = (await import(`@bufbuild/cel-spec/testdata/${name}.js`)) as any;
  const cases: Case[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the package's data has no types
  const collect = (suite: any, path: string): void => {
    for (const test of suite.tests ?? []) {
      const { original } = test;
      cases.push({
        path: `${path}/${original.name ?? original.expr}`,
        expr: original.expr,
        container: original.container ?? '',
        typeEnv: original.typeEnv ?? [],
        checkedAst: test.checkedAst,
        type: test.type,
        error: test.error,
      });
    }
    for (const child of suite.suites ?? []) collect(child, `${path}/${child.name}`);
  };
  collect(tests, name);
  return cases;
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
  if (proto.wellKnown !== undefined) return { ANY, DURATION, TIMESTAMP }[proto.wellKnown]!;
  if (proto.messageType !== undefined) return messageType(proto.messageType);
  if (proto.typeParam !== undefined) return parameter(proto.typeParam);
  if (proto.listType !== undefined) return listOf(typeFrom(proto.listType.elemType));
  if (proto.mapType !== undefined) return mapOf(typeFrom(proto.mapType.keyType), typeFrom(proto.mapType.valueType));
  if (proto.type !== undefined) return Object.keys(proto.type).length === 0 ? typeOf() : typeOf(typeFrom(proto.type));
  if (proto.abstractType !== undefined) {
    return opaqueType(proto.abstractType.name, (proto.abstractType.parameterTypes ?? []).map(typeFrom));
  }
  if (proto.null !== undefined) return NULL;
  if (proto.error !== undefined) return ERROR;
  return DYN;
}

const WELL_KNOWN: Readonly<Record<string, Type<unknown>>> = {
  'google.protobuf.Any': ANY,
  'google.protobuf.Duration': DURATION,
  'google.protobuf.Timestamp': TIMESTAMP,
  'google.protobuf.Value': DYN,
  'google.protobuf.ListValue': listOf(DYN),
  'google.protobuf.Struct': mapOf(STRING, DYN),
  'google.protobuf.BoolValue': nullable(BOOL),
  'google.protobuf.BytesValue': nullable(BYTES),
  'google.protobuf.DoubleValue': nullable(DOUBLE),
  'google.protobuf.FloatValue': nullable(DOUBLE),
  'google.protobuf.Int32Value': nullable(INT),
  'google.protobuf.Int64Value': nullable(INT),
  'google.protobuf.UInt32Value': nullable(UINT),
  'google.protobuf.UInt64Value': nullable(UINT),
  'google.protobuf.StringValue': nullable(STRING),
};

/** cel-go's own tests have the messages by other names. */
const inConformance = (name: string) => name.replace(/^google\.expr\.(proto[23])\.test\./, 'cel.expr.conformance.$1.');
const inTests = (name: string) => name.replace(/^cel\.expr\.conformance\.(proto[23])\./, 'google.expr.$1.test.');

function messageType(name: string): Type<unknown> {
  return WELL_KNOWN[name] ?? structType(name);
}

function renamed(type: Type<unknown>): Type<unknown> {
  return new Type(type.kind, inTests(type.name), type.parameters.map(renamed));
}

function scalarType(scalar: ScalarType): Type<unknown> {
  switch (scalar) {
    case ScalarType.BOOL:
      return BOOL;
    case ScalarType.STRING:
      return STRING;
    case ScalarType.BYTES:
      return BYTES;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return DOUBLE;
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return UINT;
    default:
      return INT;
  }
}

function fieldType(field: DescField): Type<unknown> {
  const single = (of: { scalar?: ScalarType; message?: DescMessage; enum?: { typeName: string } }): Type<unknown> => {
    if (of.message !== undefined) return messageType(of.message.typeName);
    return of.enum !== undefined ? INT : scalarType(of.scalar!);
  };
  switch (field.fieldKind) {
    case 'map':
      return mapOf(scalarType(field.mapKey), single(field));
    case 'list':
      return listOf(single(field));
    default:
      return single(field);
  }
}

/** Messages and enums of a registry. */
class MessageTypes implements TypeProvider {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  struct(name: string): StructDescription | undefined {
    const isTest = inConformance(name) !== name;
    const message = this.#registry.getMessage(inConformance(name));
    if (message === undefined) return undefined;
    const typeOfField = (field: DescField) => (isTest ? renamed(fieldType(field)) : fieldType(field));
    const fields = new Map(message.fields.map((field) => [field.name, typeOfField(field)]));
    return { type: messageType(name), fields };
  }

  constant(name: string) {
    const dot = name.lastIndexOf('.');
    const members = this.#registry.getEnum(inConformance(name.slice(0, dot)))?.values;
    const member = members?.find((value) => value.name === name.slice(dot + 1));
    return member && { type: INT, value: member.number };
  }
}

function functionFrom({ name, function: declared }: Declared): FunctionDeclaration {
  const overloads = declared!.overloads.map(
    (each): Overload => ({
      id: each.overloadId,
      method: each.isInstanceFunction ?? false,
      parameters: (each.params ?? []).map(typeFrom),
      result: typeFrom(each.resultType),
      evaluate: () => null,
    }),
  );
  return { name, overloads };
}

function environmentOf(base: Environment, { typeEnv, container }: Case): Environment {
  const functions = typeEnv.filter((each) => each.function !== undefined).map(functionFrom);
  const variables: Variable[] = typeEnv
    .filter((each) => each.ident !== undefined)
    .map(({ name, ident }) => ({ name, type: typeFrom(ident!.type) }));
  const libraries = functions.length === 0 ? [] : [{ name: 'declared', functions }];
  return base.extend({ libraries, variables, container });
}

/** A checked expression in the spelling of the recorded ones. */
class Printer {
  readonly #checked: CheckedExpression;

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
  }

  print(expression: Expression, indent = ''): string {
    return this.#bare(expression, indent) + this.#adornment(expression);
  }

  #adornment({ id, kind }: Expression): string {
    const type = this.#checked.types.get(id);
    const reference = this.#checked.references.get(id);
    const typed = type === undefined ? '' : `~${typeText(type)}`;
    if (reference === undefined || kind === 'comprehension' || kind === 'map') return typed;
    if (reference.kind === 'identifier') return `${typed}^${reference.name}`;
    const overloads = reference.overloads.map((overload) => overload.id).sort();
    return `${typed}^${overloads.join('|')}`;
  }

  #bare(expression: Expression, indent: string): string {
    const inner = `${indent}  `;
    const lines = (items: readonly string[]) =>
      items.length === 0 ? '' : `\n${inner}${items.join(`,\n${inner}`)}\n${indent}`;
    const print = (each: Expression) => this.print(each, inner);
    switch (expression.kind) {
      case 'constant':
        return literalText(expression.literal);
      case 'identifier':
        return expression.name;
      case 'select':
        return `${this.print(expression.operand, indent)}.${expression.field}${expression.test ? '~test-only~' : ''}`;
      case 'call': {
        const target = expression.target === undefined ? '' : `${this.print(expression.target, indent)}.`;
        return `${target}${expression.function}(${lines(expression.arguments.map(print))})`;
      }
      case 'list':
        return `[${lines(expression.elements.map(print))}]`;
      case 'map':
        return `{${lines(
          expression.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${print(key)}:${print(value)}`),
        )}}`;
      case 'struct':
        return `${expression.typeName}{${lines(
          expression.fields.map(({ name, value, optional }) => `${optional ? '?' : ''}${name}:${print(value)}`),
        )}}`;
      case 'comprehension': {
        const parts = [
          `// Variable\n${inner}${expression.variable}`,
          ...(expression.variable2 === undefined ? [] : [expression.variable2]),
          `// Target\n${inner}${print(expression.range)}`,
          `// Accumulator\n${inner}${expression.accumulator}`,
          `// Init\n${inner}${print(expression.initial)}`,
          `// LoopCondition\n${inner}${print(expression.condition)}`,
          `// LoopStep\n${inner}${print(expression.step)}`,
          `// Result\n${inner}${print(expression.result)}`,
        ];
        return `__comprehension__(\n${inner}${parts.join(`,\n${inner}`)})`;
      }
    }
  }
}

function literalText(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return quoted(literal.value);
    case 'bytes':
      return `b${quotedBytes(literal.value)}`;
    case 'uint':
      return `${literal.value}u`;
    case 'double':
      return doubleText(literal.value);
    default:
      return String(literal.value);
  }
}

/** As Go's %v. */
function doubleText(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  if (Number(exponent) < -4 || Number(exponent) >= 6) {
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** As Go's strconv.Quote. */
function quoted(text: string): string {
  const escaped = (character: string): string => {
    const code = character.codePointAt(0)!;
    if (ESCAPES[character] !== undefined) return ESCAPES[character]!;
    if (character === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return character;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  };
  return `"${[...text].map(escaped).join('')}"`;
}

function quotedBytes(bytes: Uint8Array): string {
  try {
    return quoted(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return `"${[...bytes].map((byte) => (byte < 0x80 ? quoted(String.fromCharCode(byte)).slice(1, -1) : `\\x${byte.toString(16)}`)).join('')}"`;
  }
}

/** What cel-go's checker tests declare besides what they name themselves. */
const DECLARED: EnvironmentOptions = {
  libraries: [
    {
      name: 'declared',
      functions: [
        { name: 'fg_s', overloads: [overload('fg_s_0', [[], STRING], { evaluate: () => '' })] },
        { name: 'fi_s_s', overloads: [method('fi_s_s_0', [[STRING], STRING], { evaluate: (text) => text })] },
      ],
    },
  ],
  variables: [
    { name: 'is', type: STRING },
    { name: 'ii', type: INT },
    { name: 'iu', type: UINT },
    { name: 'iz', type: BOOL },
    { name: 'ib', type: BYTES },
    { name: 'id', type: DOUBLE },
    { name: 'ix', type: NULL },
  ],
};

const MACROS: Library = { name: 'macros', functions: [], macros: STANDARD_MACROS };

const conformance = await casesOf('conformance');
const checking = await casesOf('checking');

const base = new Environment({
  libraries: [standardLibrary(), MACROS, OPTIONAL, STRINGS, BINDINGS],
  types: new MessageTypes(getTestRegistry()),
}).extend(DECLARED);

/** Cases that need what Keelson has no use for: other libraries, names between backticks, extensions of messages. */
const OUT_OF_SCOPE = /\b(math\.|base64\.|proto\.|cel\.(block|index|iterVar|accuVar)\()|\.`/;

const FORMAT_VERSION = 'version 4 of the strings library; this is version 2, as in Kubernetes';

/** Cases that are answered otherwise, and why. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  [
    'checking/lists.filter(x, x > 1.5)',
    'cel-go forgets within comprehensions that numbers of different types do not compare',
  ],
  [
    'checking/type(testAllTypes.nestedgroup.nested_id) == int',
    'the message has another group in the conformance tests',
  ],
  ...[
    'format/NaN support for decimal',
    'format/positive infinity support for decimal',
    'format/negative infinity support for decimal',
    'format_errors/null not allowed for %d',
    'format_errors/null not allowed for %e',
    'format_errors/null not allowed for %f',
    'format_errors/null not allowed for %x',
    'format_errors/null not allowed for %X',
    'format_errors/null not allowed for %b',
    'format_errors/null not allowed for %o',
    'format_errors/duration substitution not allowed with decimal clause',
    'format_errors/string substitution not allowed with octal clause',
    'format_errors/double substitution not allowed with hex clause',
    'format_errors/string substitution is not allowed with binary clause',
  ].map((name) => [`conformance/string_ext/${name}`, FORMAT_VERSION] as const),
]);

function answerOf(each: Case): string {
  const { checked, source, issues } = environmentOf(base, each).compile(each.expr);
  return checked === undefined ? issuesText(source, issues) : new Printer(checked).print(checked.root);
}

/** What the checker answered; undefined where the case did not get there. */
function recordedAnswer(each: Case): string | undefined {
  const fromChecker = each.error?.startsWith('ERROR: <input>:') ? each.error : undefined;
  return OUT_OF_SCOPE.test(each.expr) ? undefined : (each.checkedAst ?? fromChecker);
}

describe("the checker agrees with cel-go's", () => {
  for (const [suite, cases] of Map.groupBy([...conformance, ...checking], ({ path }) => suiteOf(path))) {
    const recorded = cases.filter((each) => recordedAnswer(each) !== undefined && !EXCEPTIONS.has(each.path));
    if (recorded.length === 0) continue;
    it(`on the ${recorded.length} expressions of ${suite}`, () => {
      for (const each of recorded) assert.equal(answerOf(each), recordedAnswer(each), each.path);
    });
  }

  it('on all but those listed as exceptions', () => {
    const exceptions = [...conformance, ...checking].filter(({ path }) => EXCEPTIONS.has(path));
    const answered = exceptions.filter((each) => answerOf(each) === recordedAnswer(each));
    assert.deepEqual(
      answered.map(({ path }) => path),
      [],
    );
    assert.equal(exceptions.length, EXCEPTIONS.size);
  });
});

function suiteOf(path: string): string {
  return path.startsWith('checking/') ? 'checking' : path.split('/').slice(1, 2).join('/');
}
