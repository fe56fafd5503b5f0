// `format`, which replaces the verbs of a string by values: `'%s has %d'.format([name, count])`. Literal calls are
// validated at compile time. Verbs and errors are those of cel-go's strings library, version 2.

import { goQuote } from '../../base/go-quote.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { DYN, listOf, STRING, type Type, type TypeKind } from '../types/type.ts';
import { compareStrings } from '../value/comparison.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { runtimeType } from '../value/runtime-type.ts';
import { doubleText, formatValue, parseDouble } from '../value/text.ts';
import { Double, type Int, type ListValue, type MapValue, Uint, type Value } from '../value/value.ts';
import { perCharacter } from './call-cost.ts';
import { type FunctionDeclaration, type Inspection, method } from './library.ts';
import { fixedText, groupedText, scientificText } from './number-format.ts';

const DEFAULT_PRECISION = 6;
const UNEXPECTED_END = 'unexpected end of string';

/** What a clause such as `%.3f` accepts and writes. */
interface Clause {
  readonly kinds: readonly TypeKind[];
  /** Why a value of another type is refused. */
  readonly refusal: string;
  /** Undefined for a value that is refused although its type is accepted. */
  readonly write: (value: Value, precision: number) => string | undefined;
}

const INTEGERS: readonly TypeKind[] = ['int', 'uint'];

const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  [
    's',
    {
      kinds: [
        'list',
        'map',
        'int',
        'uint',
        'double',
        'bool',
        'string',
        'timestamp',
        'bytes',
        'duration',
        'type',
        'null',
      ],
      refusal:
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
      write: plainText,
    },
  ],
  [
    'd',
    {
      kinds: INTEGERS,
      refusal: 'decimal clause can only be used on integers',
      write: (value) => integerText(value, 10),
    },
  ],
  [
    'f',
    {
      kinds: ['double', 'string'],
      refusal: 'fixed-point clause can only be used on doubles',
      write: (value, precision) => numberText(value, (number) => groupedText(number, precision)),
    },
  ],
  [
    'e',
    {
      kinds: ['double', 'string'],
      refusal: 'scientific clause can only be used on doubles',
      write: (value, precision) => numberText(value, (number) => scientificText(number, precision)),
    },
  ],
  [
    'b',
    {
      kinds: [...INTEGERS, 'bool'],
      refusal: 'only integers and bools can be formatted as binary',
      write: (value) => (typeof value === 'boolean' ? String(Number(value)) : integerText(value, 2)),
    },
  ],
  [
    'o',
    { kinds: INTEGERS, refusal: 'octal clause can only be used on integers', write: (value) => integerText(value, 8) },
  ],
  ['x', hexClause((text) => text)],
  ['X', hexClause((text) => text.toUpperCase())],
]);

function hexClause(letters: (text: string) => string): Clause {
  return {
    kinds: [...INTEGERS, 'string', 'bytes'],
    refusal: 'only integers, byte buffers, and strings can be formatted as hex',
    write: (value) => letters(hexText(value)),
  };
}

function integerText(value: Value, base: number): string {
  return (value instanceof Uint ? value.value : (value as Int)).toString(base);
}

function hexText(value: Value): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return integerText(value, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const NUMBERS_IN_WORDS: readonly Value[] = ['NaN', 'Infinity', '-Infinity'];

function numberText(value: Value, write: (number: number) => string): string | undefined {
  if (value instanceof Double) return write(value.value);
  return NUMBERS_IN_WORDS.includes(value) ? write(parseDouble(value as string) as number) : undefined;
}

function plainText(value: Value): string {
  switch (runtimeType(value).kind) {
    case 'list':
      return listText(value as ListValue);
    case 'map':
      return mapText(value as MapValue);
    case 'double':
      return doubleText((value as Double).value);
    case 'bytes':
      return utf8Text(value as Uint8Array);
    default:
      return formatValue(value);
  }
}

function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EvaluationError(
      'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
    );
  }
}

function listText(list: ListValue): string {
  const items = Array.from({ length: list.size }, (_, index) => literalText(list.at(index)));
  return `[${items.join(', ')}]`;
}

/** Sorted by the keys' texts. */
function mapText(map: MapValue): string {
  const entries = map.keys().map((key) => [keyText(key), literalText(map.get(key) as Value)] as const);
  entries.sort(([one], [other]) => compareStrings(one, other));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

const KEY_KINDS: readonly TypeKind[] = ['string', 'bool', 'int', 'uint'];

function keyText(key: Value): string {
  const type = runtimeType(key);
  if (!KEY_KINDS.includes(type.kind)) {
    throw new EvaluationError(`error during formatting: no formatting function for map key of type ${type.name}`);
  }
  return literalText(key);
}

/** A value inside of a list or map, about as one would write it in an expression. */
function literalText(value: Value): string {
  const type = runtimeType(value);
  switch (type.kind) {
    case 'string':
      return goQuote(value as string);
    case 'bytes':
      return `b${goQuote(utf8Text(value as Uint8Array))}`;
    case 'timestamp':
      return `timestamp(${goQuote(formatValue(value))})`;
    case 'duration':
      return `duration(${goQuote(formatValue(value))})`;
    case 'double': {
      const text = fixedText((value as Double).value, DEFAULT_PRECISION);
      return Number.isFinite((value as Double).value) ? text : goQuote(text);
    }
    default:
      if (CLAUSES.get('s')?.kinds.includes(type.kind)) return plainText(value);
      throw new EvaluationError(`error during formatting: no formatting function for ${type.name}`);
  }
}

/** Why a template cannot be parsed or filled, and the value that caused it, if any. */
class FormatFault {
  readonly message: string;
  readonly at: Expression | undefined;

  constructor(message: string, at?: Expression) {
    this.message = message;
    this.at = at;
  }
}

/** A clause as written in a template. */
interface Slot {
  readonly clause: Clause;
  readonly precision: number;
}

/** A parsed template: text, the clauses in between, and finally the part that is not a clause. */
type Piece = string | Slot | FormatFault;

function readPieces(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest = template;
  for (let percent = rest.indexOf('%'); percent >= 0; percent = rest.indexOf('%')) {
    pieces.push(rest.slice(0, percent));
    rest = rest.slice(percent + 1);
    if (rest.startsWith('%')) {
      pieces.push('%');
      rest = rest.slice(1);
      continue;
    }
    const read = readClause(rest);
    pieces.push(read);
    if (read instanceof FormatFault) return pieces;
    rest = rest.slice(read.length);
  }
  pieces.push(rest);
  return pieces;
}

function readClause(text: string): (Slot & { readonly length: number }) | FormatFault {
  if (text === '') return new FormatFault(UNEXPECTED_END);
  const [given, digits] = /^\.([0-9]*)/.exec(text) ?? ['', undefined];
  const precision = digits === undefined ? DEFAULT_PRECISION : readPrecision(digits, text.length > given.length);
  if (typeof precision === 'string') return clauseFault(`error while parsing precision: ${precision}`);
  const verb = text.slice(given.length, given.length + 1);
  const clause = CLAUSES.get(verb);
  if (clause !== undefined) return { clause, precision, length: given.length + 1 };
  const first = new TextEncoder().encode(text.slice(given.length))[0] as number;
  return clauseFault(`unrecognized formatting clause "${String.fromCharCode(first)}"`);
}

/** A string is the reason why there is none. */
function readPrecision(digits: string, goesOn: boolean): number | string {
  if (!goesOn) return 'could not find end of precision specifier';
  const precision = Number(digits);
  if (digits !== '' && precision < 2 ** 63) return precision;
  const reason = digits === '' ? 'invalid syntax' : 'value out of range';
  return `error while converting precision to integer: strconv.Atoi: parsing ${goQuote(digits)}: ${reason}`;
}

function clauseFault(reason: string): FormatFault {
  return new FormatFault(`could not parse formatting clause: ${reason}`);
}

function fillAll(pieces: readonly Piece[], list: ListValue): string {
  let text = '';
  let used = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
    } else if (used >= list.size) {
      throw new EvaluationError(outOfRange(used));
    } else if (piece instanceof FormatFault) {
      throw new EvaluationError(piece.message);
    } else {
      text += fill(piece, list.at(used++));
    }
  }
  return text;
}

function outOfRange(index: number): string {
  return `index ${index} out of range`;
}

function fill({ clause, precision }: Slot, value: Value): string {
  const type = runtimeType(value);
  const text = clause.kinds.includes(type.kind) ? clause.write(value, precision) : undefined;
  if (text === undefined) throw new EvaluationError(refusal(clause, type));
  return text;
}

function refusal(clause: Clause, type: Type<unknown>): string {
  return `error during formatting: ${clause.refusal}, was given ${type.name}`;
}

/** Looks at a call on a literal with a list literal. */
function validate(call: CallExpression, inspection: Inspection): void {
  const [list] = call.arguments;
  const template = call.target?.kind === 'constant' ? call.target.literal : undefined;
  if (template?.type !== 'string' || list?.kind !== 'list') return;
  try {
    const used = countClauses(template.value, list.elements, inspection);
    const given = list.elements.length;
    if (given > used) {
      throw new FormatFault(`too many arguments supplied to string.format (expected ${used}, got ${given})`);
    }
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error;
    inspection.report(error.message, error.at ?? call);
  }
}

function countClauses(template: string, values: readonly Expression[], inspection: Inspection): number {
  let used = 0;
  for (const piece of readPieces(template)) {
    if (typeof piece === 'string') continue;
    const value = values[used];
    const isFault = piece instanceof FormatFault;
    if (isFault && (value !== undefined || piece.message === UNEXPECTED_END)) throw piece;
    if (isFault || value === undefined) throw new FormatFault(outOfRange(used));
    const refused = refusedPart(piece.clause, value, inspection);
    if (refused !== undefined) throw new FormatFault(refusal(piece.clause, inspection.typeOf(refused)), refused);
    used++;
  }
  return used;
}

/** Returns the value, or the nested value, that the clause does not accept. */
function refusedPart(clause: Clause, value: Expression, inspection: Inspection): Expression | undefined {
  const { kind } = inspection.typeOf(value);
  if (kind !== 'dyn' && !clause.kinds.includes(kind)) return value;
  if (clause !== CLAUSES.get('s')) return undefined;
  const parts =
    value.kind === 'list'
      ? value.elements
      : value.kind === 'map'
        ? value.entries.flatMap((entry) => [entry.key, entry.value])
        : [];
  for (const part of parts) {
    const refused = refusedPart(clause, part, inspection);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

export const FORMAT: FunctionDeclaration = Object.freeze({
  name: 'format',
  mixedLiterals: true,
  validate,
  overloads: [
    method('string_format', [[STRING, listOf(DYN)], STRING], {
      about:
        'The string with its verbs `%s %d %f %e %b %o %x %X` replaced by the values of a list, in order; `%%` is a percent sign.',
      evaluate: (template, list) => fillAll(readPieces(template), list),
      specialize: {
        operand: 0,
        prepare: (template) => {
          const pieces = readPieces(template as string);
          return (_template: string, list: ListValue) => fillAll(pieces, list);
        },
      },
      ...perCharacter(),
    }),
  ],
});
