// Functions of sprig for values of any type: defaults, types, JSON.

import { equalJson } from '../../../api/json-equal.ts';
import { JsonError, parseJson } from '../../../api/json-reader.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { lookup } from '../../../base/lookup.ts';
import { TemplateError } from './error.ts';
import { stringIn, type TemplateFunction, taking } from './function.ts';
import { isMap, isTrue, jsonOf, typeNameOf, type Value, valueFrom } from './values.ts';

const toJson = taking(1, 1, ([value], { budget }) => {
  const text = stringifyJson(jsonOf(value, budget));
  budget.spendText(text.length);
  return text;
});
const toPrettyJson = taking(1, 1, ([value], { budget }) => {
  const text = JSON.stringify(jsonOf(value, budget), undefined, 2);
  budget.spendText(text.length);
  return text;
});
const fromJson = taking(1, 1, ([text], { budget }) => {
  budget.spendText(stringIn(text).length);
  try {
    return valueFrom(parseJson(stringIn(text)), budget);
  } catch (error) {
    if (error instanceof JsonError) throw new TemplateError(error.message);
    throw error;
  }
});
const isType = taking(2, 2, ([name, value]) => typeNameOf(value) === name);

export const VALUE_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  default: taking(1, 2, ([fallback, value]) => (isTrue(value) ? value : fallback)),
  empty: taking(1, 1, ([value]) => !isTrue(value)),
  coalesce: (given) => given.find(isTrue),
  all: (given) => given.every(isTrue),
  any: (given) => given.some(isTrue),
  ternary: taking(3, 3, ([one, other, condition]) => (condition === true ? one : other)),
  fail: taking(1, 1, ([message]) => {
    throw new TemplateError(stringIn(message));
  }),
  toJson,
  toRawJson: toJson,
  toPrettyJson,
  fromJson,
  mustToJson: toJson,
  mustToRawJson: toJson,
  mustToPrettyJson: toPrettyJson,
  mustFromJson: fromJson,
  typeOf: taking(1, 1, ([value]) => typeNameOf(value)),
  typeIs: isType,
  typeIsLike: isType,
  kindOf: taking(1, 1, ([value]) => kindNameOf(value)),
  kindIs: taking(2, 2, ([name, value]) => kindNameOf(value) === name),
  deepEqual: taking(2, 2, ([one, other], { budget }) => equalJson(jsonOf(one, budget), jsonOf(other, budget))),
});

function kindNameOf(value: Value): string {
  if (value === undefined) return 'invalid';
  if (Array.isArray(value)) return 'slice';
  if (isMap(value)) return 'map';
  const type = typeNameOf(value);
  return type === 'json.Number' ? 'string' : type;
}
