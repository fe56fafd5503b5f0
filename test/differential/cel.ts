// Random expressions on an object with known fields: mostly well typed, sometimes with the wrong type, a missing field,
// too many arguments or a syntax error.

import type { SeededRandom } from '../../src/base/seeded-random.ts';

/** The types of generated expressions. */
export type Type =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'list'
  | 'ints'
  | 'map'
  | 'duration'
  | 'time'
  | 'dyn'
  | 'bytes'
  | 'lists';

/** How the fields of a type are accessed, for one kind of rule. */
export type Leaves = Readonly<Partial<Record<Type, readonly string[]>>>;

/** A template of an expression: text, and types in place of subexpressions. */
type Form = string;

const literals: Readonly<Record<Type, readonly string[]>> = {
  bool: ['true', 'false'],
  int: ['0', '1', '-1', '2', '10', '9223372036854775807', '0x1F'],
  double: ['0.0', '1.5', '-2.25', '1e3', '1e400', 'double("NaN")'],
  string: [
    '""',
    '"a"',
    "'b,c'",
    '"ü€"',
    'r"\\d+"',
    '"1h"',
    '"10.0.0.1"',
    '"https://a.b:80/c?d=e#f"',
    '"1Gi"',
    '"1.2.3"',
    '"""x"""',
  ],
  list: ['["a", "b"]', '["b", "a", "a"]', '["x"]'],
  ints: ['[1, 2, 3]', '[3, 1, 1]', '[0]'],
  lists: ['[["a"], ["b"]]', '[["a", "b"], []]'],
  map: ['{"a": "b"}', '{"a": "b", "c": "d"}'],
  duration: ['duration("1h")', 'duration("1m30s")', 'duration("x")', 'duration("-1.5h")'],
  time: ['timestamp("2024-02-29T12:30:45.123Z")', 'timestamp("x")', 'timestamp("0001-01-01T00:00:00Z")'],
  dyn: ['dyn(1)', 'dyn("a")', 'dyn([1])', 'null', 'optional.of(1).value()'],
  bytes: ['b"abc"', 'bytes("ü")', 'b"\\xff"'],
};

/** Types in angle brackets are replaced by expressions, `$` by a new variable. */
const forms: Readonly<Record<Type, readonly Form[]>> = {
  bool: [
    '<int> == <int>',
    '<int> < <double>',
    '<string> == <string>',
    '<string> >= <string>',
    '<int> in <ints>',
    '<string> in <list>',
    '<string> in <map>',
    '!<bool>',
    '<bool> && <bool>',
    '<bool> || <bool>',
    '<bool> ? <bool> : <bool>',
    '<string>.matches(<string>)',
    '<string>.startsWith(<string>)',
    '<string>.contains(<string>)',
    '<string>.endsWith(<string>)',
    '<list>.all(v, <string> != v)',
    '<list>.exists(v, v == <string>)',
    '<list>.exists_one(v, v.size() > <int>)',
    '<ints>.all(v, v > <int>)',
    '<map>.all(k, k != <string>)',
    '<map>.exists(k, <bool>)',
    '<list>.isSorted()',
    '<ints>.isSorted()',
    'isURL(<string>)',
    'isIP(<string>)',
    'isCIDR(<string>)',
    'isQuantity(<string>)',
    'quantity(<string>).isGreaterThan(quantity(<string>))',
    'quantity(<string>).isInteger()',
    'ip(<string>).family() == 4',
    'cidr(<string>).containsIP(<string>)',
    'ip.isCanonical(<string>)',
    '<duration> < <duration>',
    '<time> < <time>',
    'has(self.<field>)',
    '<list> == <list>',
    '<map> == <map>',
    '<dyn> == <dyn>',
    '<dyn> == <int>',
    '<double> == <int>',
    'bool(<string>)',
    'sets.contains(<list>, <list>)',
    'sets.intersects(<ints>, <ints>)',
    'sets.equivalent(<list>, <list>)',
    '!format.dns1123Label().validate(<string>).hasValue()',
    'format.named(<string>).hasValue()',
    'semver(<string>).isLessThan(semver(<string>))',
    'isSemver(<string>)',
    'optional.of(<string>).hasValue()',
    '<map>[?<string>].hasValue()',
    '<list>.all(i, v, i < <int> && v != <string>)',
    '<map>.exists(k, v, k == v)',
    'ip(<string>).isLoopback()',
    'cidr(<string>).containsCIDR(<string>)',
    'url(<string>).getHost() == <string>',
    'quantity(<string>).compareTo(quantity(<string>)) == <int>',
    'type(<dyn>) == int',
    '<lists>.all(l, l.all(v, v != <string>))',
    '<bytes> == <bytes>',
    '<ints>.exists(a, <ints>.exists(b, a == b))',
    '<time> - <time> > <duration>',
  ],
  int: [
    '<int> + <int>',
    '<int> - <int>',
    '<int> * <int>',
    '<int> / <int>',
    '<int> % <int>',
    '-<int>',
    'size(<string>)',
    '<list>.size()',
    '<map>.size()',
    '<string>.indexOf(<string>)',
    '<string>.lastIndexOf(<string>)',
    '<ints>.sum()',
    '<ints>.min()',
    '<ints>.max()',
    '<list>.indexOf(<string>)',
    '<ints>[<int>]',
    'int(<string>)',
    'int(<double>)',
    '<time>.getFullYear()',
    '<time>.getHours(<string>)',
    '<duration>.getSeconds()',
    '<duration>.getMilliseconds()',
    '<bool> ? <int> : <int>',
    'int(<time>)',
    '<string>.indexOf(<string>, <int>)',
    '<time>.getDayOfWeek()',
    'quantity(<string>).asInteger()',
    'semver(<string>).major()',
    'cidr(<string>).prefixLength()',
    '<bytes>.size()',
    '<time>.getDate("Europe/Berlin")',
    'quantity(<string>).sign()',
    'math.greatest(<int>, <int>)',
    '<map>.size() + <list>.size()',
  ],
  double: [
    '<double> + <double>',
    '<double> / <double>',
    '<double> * <double>',
    'double(<int>)',
    'double(<string>)',
    '-<double>',
    'quantity(<string>).asApproximateFloat()',
  ],
  string: [
    '<string> + <string>',
    '<string>.lowerAscii()',
    '<string>.upperAscii()',
    '<string>.trim()',
    '<string>.replace(<string>, <string>)',
    '<string>.replace(<string>, <string>, <int>)',
    '<string>.substring(<int>)',
    '<string>.substring(<int>, <int>)',
    '<string>.charAt(<int>)',
    '<list>.join(<string>)',
    '<list>.join()',
    '<list>[<int>]',
    '<map>[<string>]',
    '<map>.a',
    'string(<int>)',
    'string(<double>)',
    'string(<bool>)',
    'string(<duration>)',
    'string(<time>)',
    'string(<bytes>)',
    '<bool> ? <string> : <string>',
    '<string>.find(<string>)',
    'url(<string>).getScheme()',
    'url(<string>).getEscapedPath()',
    'string(ip(<string>))',
    'string(cidr(<string>))',
    '<string>.reverse()',
    '<map>[?<string>].orValue(<string>)',
    '<list>.min()',
    '"%s %d".format([<string>, <int>])',
    '"%s".format([<dyn>])',
    '"%x %.2f".format([<int>, <double>])',
    '"%s".format([<list>])',
    '"%s".format([<map>])',
    '"%d %s".format([<string>])',
    '"%b|%o|%e".format([<int>, <int>, <double>])',
    'strings.quote(<string>)',
    'format.dns1123Subdomain().validate(<string>).orValue([])[0]',
    'string(quantity(<string>))',
    'string(semver(<string>))',
  ],
  list: [
    '<string>.split(<string>)',
    '<string>.split(<string>, <int>)',
    '<list> + <list>',
    '<list>.map(v, v + <string>)',
    '<list>.filter(v, v != <string>)',
    '[<string>, <string>]',
    '<map>.map(k, k)',
    '<string>.findAll(<string>)',
    '<string>.findAll(<string>, <int>)',
    '<list>.map(v, v != <string>, v)',
    '<bool> ? <list> : <list>',
    '<lists>[<int>]',
    '<list>.sort()',
    '<list>.distinct()',
    'url(<string>).getQuery()["d"]',
    '<list>.transformList(i, v, v)',
    '<list>.slice(<int>, <int>)',
    '<lists>.flatten()',
    '<list>.reverse()',
  ],
  ints: [
    '<ints> + <ints>',
    '<ints>.map(v, v * <int>)',
    '[<int>, <int>]',
    '<list>.map(v, v.size())',
    '<ints>.filter(v, v > <int>)',
    'lists.range(<int>)',
  ],
  lists: ['[<list>, <list>]', '<list>.map(v, [v, <string>])', '<list>.map(v, v.split(<string>))'],
  map: [
    '{<string>: <string>}',
    '{<string>: <string>, <string>: <string>}',
    '<map>.transformMap(k, v, v + <string>)',
    '<list>.transformMap(i, v, v)',
  ],
  duration: ['<duration> + <duration>', 'duration(<string>)', '<time> - <time>', '<duration> - <duration>'],
  time: ['<time> + <duration>', '<time> - <duration>', 'timestamp(<string>)', 'timestamp(<int>)'],
  dyn: [
    'dyn(<string>)',
    'dyn(<ints>)',
    'dyn(<map>)',
    'dyn(<double>)',
    'dyn(<list>)[0]',
    '[<dyn>, <int>][0]',
    '{"a": <dyn>}["a"]',
  ],
  bytes: ['bytes(<string>)', '<bytes> + <bytes>', 'base64.decode(<string>)'],
};

const types = Object.keys(forms) as Type[];
const broken = [
  (text: string) => `${text} +`,
  (text: string) => `(${text}`,
  (text: string) => `${text}.nope()`,
  (text: string) => `nope(${text})`,
  (text: string) => `${text}.nope`,
  (text: string) => `${text} ++ 1`,
  (text: string) => text.replace('(', ''),
  (text: string) => `${text}[`,
  (text: string) => `${text}; 1`,
  (text: string) => `"${text}`,
  (text: string) => `nope.${text}`,
  (text: string) => `${text} = 1`,
  (text: string) => `\n\t${text} &&\n nope`,
  (text: string) => `has(${text})`,
  (text: string) => `${text}.all(1, true)`,
  (text: string) => text.slice(1),
];

/** Returns a random expression; sometimes of another type than requested. */
export function randomExpression(random: SeededRandom, type: Type, leaves: Leaves): string {
  const text = expression(random, { type, leaves, depth: random.pick([1, 2, 2, 3]), wrong: random.chance(15) ? 8 : 0 });
  return random.chance(7) ? random.pick(broken)(text) : text;
}

interface Wanted {
  readonly type: Type;
  readonly leaves: Leaves;
  readonly depth: number;
  /** Percentage of parts with the wrong type. */
  readonly wrong: number;
}

const fields = ['text', 'nope', 'entries', 'maybe', 'nested', 'number'];

function expression(random: SeededRandom, { type, leaves, depth, wrong }: Wanted): string {
  const own = leaves[type] ?? [];
  if (depth === 0 || (depth < 3 && random.chance(15))) {
    return own.length > 0 && random.chance(65) ? random.pick(own) : random.pick(literals[type]);
  }
  const form = random.pick(forms[type]);
  return form.replace(/<(\w+)>/g, (_, part: string) => {
    if (part === 'field') return random.pick(fields);
    const given = random.chance(wrong) ? random.pick(types) : (part as Type);
    const inner = expression(random, { type: given, leaves, depth: depth - 1, wrong });
    return /^[\w."'[{]/.test(inner) && !/ [-+*/%<>=!&|?:]|^-| in /.test(inner) ? inner : `(${inner})`;
  });
}
