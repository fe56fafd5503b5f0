// Writes docs/expression-functions.md, the reference of all functions available in expressions, from their
// declarations: `node scripts/expression-functions.ts`. A test checks that the page is current.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINDINGS } from '../src/cel/library/bindings.ts';
import { CIDRS } from '../src/cel/library/cidr.ts';
import { IPS } from '../src/cel/library/ip.ts';
import { KUBERNETES_LISTS } from '../src/cel/library/kubernetes-lists.ts';
import type { FunctionDeclaration, Library, Macro, Overload } from '../src/cel/library/library.ts';
import { LISTS } from '../src/cel/library/lists.ts';
import { OPTIONAL } from '../src/cel/library/optional.ts';
import { REGEX } from '../src/cel/library/regex.ts';
import { SEMVER } from '../src/cel/library/semver.ts';
import { SETS } from '../src/cel/library/sets.ts';
import { standardLibrary } from '../src/cel/library/standard/standard.ts';
import { STANDARD_MACROS } from '../src/cel/library/standard-macros.ts';
import { STRINGS } from '../src/cel/library/strings.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../src/cel/library/two-variable-comprehensions.ts';
import { URLS } from '../src/cel/library/urls.ts';
import { OPERATORS } from '../src/cel/syntax/operators.ts';
import { typeText } from '../src/cel/types/type-text.ts';
import { AUTHORIZER, AUTHORIZER_SELECTORS } from '../src/expressions/authorizer.ts';
import { FORMATS } from '../src/expressions/format.ts';
import { JSON_PATCHES } from '../src/expressions/json-patch.ts';
import { QUANTITIES } from '../src/expressions/quantity.ts';

export const PAGE = 'docs/expression-functions.md';

interface Section {
  readonly title: string;
  readonly text: string;
  readonly library: Pick<Library, 'functions' | 'macros'>;
}

const SECTIONS: readonly Section[] = [
  {
    title: 'Standard',
    text: 'Operators, conversions, times, and macros over lists and maps.',
    library: { ...standardLibrary(), macros: STANDARD_MACROS },
  },
  {
    title: 'Two variables',
    text: 'The same with index and item, or key and value.',
    library: TWO_VARIABLE_COMPREHENSIONS,
  },
  { title: 'Optional values', text: 'A value that may be missing: `self.?name.orValue("none")`.', library: OPTIONAL },
  { title: 'Strings', text: 'Positions count characters from 0.', library: STRINGS },
  { title: 'Regular expressions', text: 'In the syntax of RE2.', library: REGEX },
  { title: 'Lists', text: 'Queries of lists.', library: KUBERNETES_LISTS },
  { title: 'More lists', text: 'Transformations of lists.', library: LISTS },
  { title: 'Sets', text: 'Lists as sets, ignoring order and duplicates.', library: SETS },
  { title: 'Bindings', text: 'Only in device selectors.', library: BINDINGS },
  { title: 'URLs', text: 'URLs with a scheme or a leading slash.', library: URLS },
  { title: 'IP addresses', text: 'Of versions 4 and 6, without zones.', library: IPS },
  { title: 'Networks', text: 'In CIDR notation, as `10.0.0.0/8`.', library: CIDRS },
  { title: 'Quantities', text: 'Resource quantities: `100m`, `1.5Gi`.', library: QUANTITIES },
  { title: 'Semantic versions', text: 'As `1.2.3-rc.1`.', library: SEMVER },
  { title: 'Named formats', text: 'Kubernetes formats of names, labels and other strings.', library: FORMATS },
  {
    title: 'Authorization',
    text: 'Only if the variable `authorizer` is available.',
    library: { ...AUTHORIZER, functions: [...(AUTHORIZER.functions ?? []), ...(AUTHORIZER_SELECTORS.functions ?? [])] },
  },
  { title: 'JSON patches', text: 'Only in mutating policies.', library: JSON_PATCHES },
];

/** Descriptions of the standard functions, whose overloads do not say what they do. */
const STANDARD: Readonly<Record<string, string>> = {
  [OPERATORS.conditional]: 'The second operand if the first is true, otherwise the third; only that one is evaluated.',
  [OPERATORS.and]: 'Whether both are true; false if one is false, even if the other fails.',
  [OPERATORS.or]: 'Whether one of them is true, even if the other fails.',
  [OPERATORS.not]: 'Whether it is false.',
  [OPERATORS.equals]: 'Whether both are equal: numbers by value, lists and maps by content.',
  [OPERATORS.notEquals]: 'Whether they are not equal.',
  [OPERATORS.less]: 'Whether the first comes before the second: strings by code points, `false` before `true`.',
  [OPERATORS.lessEquals]: 'Whether the first comes before the second or is the same.',
  [OPERATORS.greater]: 'Whether the first comes after the second.',
  [OPERATORS.greaterEquals]: 'Whether the first comes after the second or is the same.',
  [OPERATORS.add]: 'The sum, or one behind the other; an error beyond 64 bits.',
  [OPERATORS.subtract]: 'The difference; an error beyond 64 bits.',
  [OPERATORS.multiply]: 'The product; an error beyond 64 bits.',
  [OPERATORS.divide]: 'The quotient, truncated for integers; an error for division by an integer zero.',
  [OPERATORS.modulo]: 'The remainder, with the sign of the first operand; an error for zero.',
  [OPERATORS.negate]: 'The negated number.',
  [OPERATORS.index]: 'The item at an index from 0, or the value of a key; an error if there is none.',
  [OPERATORS.optionalSelect]: 'The optional value of a field; for an optional object that of its value.',
  [OPERATORS.optionalIndex]: 'The optional item at an index or value of a key.',
  [OPERATORS.in]: 'Whether a list has an item, or a map a key.',
  size: 'The number of characters, bytes, items or keys.',
  type: 'The type of a value, which can be compared: `type(x) == int`.',
  dyn: 'The value without its static type, so that types are checked at run time.',
  bool: 'The boolean in a string: `true`, `t`, `1` and so on.',
  bytes: 'The bytes of a string in UTF-8.',
  double: 'The number as a double.',
  duration: 'The duration in a string such as `1h30m`.',
  int: 'The number truncated to an int; for a timestamp the seconds since 1970.',
  string: 'The value as a string.',
  timestamp: 'The time in an RFC 3339 string, or a number of seconds after 1970.',
  uint: 'The number as an unsigned int; an error if it is negative.',
  contains: 'Whether the string contains a substring.',
  endsWith: 'Whether the string ends with a suffix.',
  startsWith: 'Whether the string starts with a prefix.',
  matches: 'Whether an RE2 regular expression matches anywhere in the string.',
  getFullYear: 'The year, in UTC or a time zone such as `Europe/Berlin` or `+01:00`.',
  getMonth: 'The month, from 0.',
  getDayOfYear: 'The day of the year, from 0.',
  getDayOfMonth: 'The day of the month, from 0.',
  getDate: 'The day of the month, from 1.',
  getDayOfWeek: 'The day of the week; 0 is Sunday.',
  getHours: 'The hour of the day, or the total hours of a duration.',
  getMinutes: 'The minute of the hour, or the total minutes of a duration.',
  getSeconds: 'The second of the minute, or the total seconds of a duration.',
  getMilliseconds: 'The milliseconds of the second.',
};

/** Returns the text of the page. */
export function page(): string {
  const sections = SECTIONS.map(({ title, text, library }) => {
    const parts = [`## ${title}`, text];
    if (library.macros !== undefined && library.macros.length > 0) parts.push(macrosText(library.macros));
    const rows = library.functions.flatMap(rowsOf);
    if (rows.length > 0) parts.push(['| call | |', '|---|---|', ...rows].join('\n'));
    return parts.join('\n\n');
  });
  const start = [
    '# CEL functions',
    'The functions available in validation rules, policies and match conditions. Generated by `scripts/expression-functions.ts`.',
  ];
  return `${[...start, ...sections].join('\n\n')}\n`;
}

function macrosText(macros: readonly Macro[]): string {
  const names = new Set(macros.map(({ name, method }) => (method ? `\`.${name}()\`` : `\`${name}()\``)));
  return `Macros: ${[...names].join(', ')}.`;
}

/** Returns a row for all overloads with the same description. */
function rowsOf({ name, overloads }: FunctionDeclaration): string[] {
  const rows = new Map<string, string[]>();
  for (const overload of overloads) {
    const signature = signatureOf(name, overload);
    if (signature === undefined) continue;
    const about = overload.about ?? STANDARD[name] ?? '';
    rows.set(about, [...(rows.get(about) ?? []), `\`${signature.replaceAll('|', '\\|')}\``]);
  }
  return [...rows].map(([about, signatures]) => `| ${signatures.join('<br>')} | ${about.replaceAll('|', '\\|')} |`);
}

/** Returns the function as it is called; undefined for functions used by macros only. */
function signatureOf(name: string, { method, parameters, result }: Overload): string | undefined {
  const operands = parameters.map(typeText);
  const operator = name === '@in' ? '_ in _' : name;
  if (operator.startsWith('@') || operator.includes('.@')) return undefined;
  if (!/^[\w.]+$/.test(operator) || /^_.*_$/.test(operator))
    return `${infix(operator, operands)} → ${typeText(result)}`;
  const [receiver, ...rest] = operands;
  const call = method ? `${receiver}.${name}(${rest.join(', ')})` : `${name}(${operands.join(', ')})`;
  return `${call} → ${typeText(result)}`;
}

/** Formats `_+_` with operands in place of the underscores. */
function infix(operator: string, operands: readonly string[]): string {
  let next = 0;
  const filled = operator.replace(/_/g, () => operands[next++] ?? '');
  const sign = operator.replaceAll('_', '').trim();
  if (sign === '?:') return `${operands[0]} ? ${operands[1]} : ${operands[2]}`;
  return /^[-+*/%<>=!&|]+$/.test(sign) && operands.length === 2 ? operands.join(` ${sign} `) : filled;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', PAGE), page());
