// Values written with Go's `%#v`, as releases before 1.34 write them in errors: structs, named lists and maps, numbers or
// percentages, and quantities. The types are those of k8s.io/apimachinery and of Kubernetes' own pkg/apis in 1.31; only
// types are listed that an error quotes.

import { ownMember } from '../api/own-member.ts';
import { goQuote } from '../base/go-quote.ts';
import { lookup } from '../base/lookup.ts';

/** The fields of structs in their order: Go's name and type. Members of the API have the name in lower case. */
const STRUCTS: Readonly<Record<string, readonly (readonly [name: string, type: string, member?: string])[]>> = lookup({
  'v1.LabelSelector': [
    ['MatchLabels', 'map[string]string'],
    ['MatchExpressions', '[]v1.LabelSelectorRequirement'],
  ],
  'v1.LabelSelectorRequirement': [
    ['Key', 'string'],
    ['Operator', 'string'],
    ['Values', '[]string'],
  ],
  'v1.OwnerReference': [
    ['APIVersion', 'string', 'apiVersion'],
    ['Kind', 'string'],
    ['Name', 'string'],
    ['UID', 'string', 'uid'],
    ['Controller', '*bool'],
    ['BlockOwnerDeletion', '*bool'],
  ],
  'core.Toleration': [
    ['Key', 'string'],
    ['Operator', 'string'],
    ['Value', 'string'],
    ['Effect', 'string'],
    ['TolerationSeconds', '*int64'],
  ],
  'core.LocalObjectReference': [['Name', 'string']],
  'core.PodIP': [['IP', 'string', 'ip']],
  'core.HostIP': [['IP', 'string', 'ip']],
  'rbac.RoleRef': [
    ['APIGroup', 'string', 'apiGroup'],
    ['Kind', 'string'],
    ['Name', 'string'],
  ],
  'apiextensions.ValidationRule': [
    ['Rule', 'string', 'Rule'],
    ['Message', 'string', 'Message'],
    ['MessageExpression', 'string', 'MessageExpression'],
    ['Reason', '*apiextensions.FieldValueErrorReason', 'Reason'],
    ['FieldPath', 'string', 'FieldPath'],
    ['OptionalOldSelf', '*bool', 'OptionalOldSelf'],
  ],
});

/** Maps whose type has a name: that of their values. */
const MAPS: Readonly<Record<string, string>> = lookup({ 'core.ResourceList': 'resource.Quantity' });

/** Where Go shows the address of a value, which no client can rely on. */
const ADDRESS = '0xc000000000';

const PLAIN: Readonly<Record<string, (value: unknown) => string>> = lookup({
  string: (value) => goQuote(String(value ?? '')),
  bool: (value) => String(value ?? false),
  int32: (value) => String(value ?? 0),
  int64: (value) => String(value ?? 0),
  byte: (value) => `0x${Number(value).toString(16)}`,
  'resource.Quantity': (value) => quantityText(String(value ?? '0')),
  'intstr.IntOrString': (value) =>
    typeof value === 'string'
      ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${goQuote(value)}}`
      : `intstr.IntOrString{Type:0, IntVal:${value ?? 0}, StrVal:""}`,
});

/** A value of a Go type in Go's syntax. Names of types that are neither structs nor maps stand for strings. */
export function goTyped(value: unknown, type: string): string {
  const isNil = value === undefined || value === null;
  if (type.startsWith('*')) return isNil ? `(${type})(nil)` : `(${type})(${ADDRESS})`;
  if (type.startsWith('[]')) {
    return isNil ? `${type}(nil)` : `${type}{${items(value, (each) => goTyped(each, type.slice(2)))}}`;
  }
  const element = type.startsWith('map[string]') ? type.slice('map[string]'.length) : MAPS[type];
  if (element !== undefined) return isNil ? `${type}(nil)` : `${type}{${members(value, element)}}`;
  const fields = STRUCTS[type];
  if (fields === undefined) return (PLAIN[type] ?? PLAIN['string'])?.(value) ?? '';
  const texts = fields.map(([name, of, member = `${name[0]?.toLowerCase()}${name.slice(1)}`]) => {
    return `${name}:${goTyped(ownMember(value as Members, member), of)}`;
  });
  return `${type}{${texts.join(', ')}}`;
}

type Members = Readonly<Record<string, unknown>>;

function items(value: unknown, text: (each: unknown) => string): string {
  return Array.isArray(value) ? value.map(text).join(', ') : '';
}

function members(value: unknown, type: string): string {
  return Object.entries(value as Members)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${goQuote(key)}:${goTyped(each, type)}`)
    .join(', ');
}

const DECIMAL: Readonly<Record<string, number>> = lookup({
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
});
const BINARY: Readonly<Record<string, bigint>> = lookup({ Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n });
const QUANTITY = /^(-?)(\d+)([a-zA-Z]*)$/;

/**
 * A quantity in its canonical form, which is all that is known of it here: Go also shows whether it was written in
 * another one.
 */
function quantityText(text: string): string {
  const [, sign = '', digits = '0', suffix = ''] = QUANTITY.exec(text) ?? [];
  const shift = BINARY[suffix];
  const exponent = /^[eE](\d+)$/.exec(suffix)?.[1];
  const scale = shift === undefined && exponent === undefined ? (DECIMAL[suffix] ?? 0) : Number(exponent ?? 0);
  const value = BigInt(digits) << (shift ?? 0n);
  const format = shift === undefined ? (exponent === undefined ? 'DecimalSI' : 'DecimalExponent') : 'BinarySI';
  const amount = `resource.int64Amount{value:${value === 0n ? '' : sign}${value}, scale:${scale}}`;
  const written = `d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${goQuote(text)}, Format:${goQuote(format)}`;
  return `resource.Quantity{i:${amount}, ${written}}`;
}
