import { testOutcomes } from '../../../test/cel/collections.ts';

// As cel-go v0.26.0 answers.
testOutcomes('two-variable comprehensions', {
  'l.all(i, v, v > i)': { estimate: [2, 62], value: false, cost: 16 },
  'l.exists(i, v, v == 2 && i == 2)': { estimate: [2, 82], value: true, cost: 25 },
  'l.existsOne(i, v, v == 3)': { estimate: [3, 43], value: false, cost: 15 },
  'l.exists_one(i, v, v == 1)': { estimate: [3, 43], value: true, cost: 13 },
  'l.transformList(i, v, i * v)': { estimate: [12, 162], value: ['0', '1', '4', '9'], cost: 62 },
  'l.transformList(i, v, i > 1, v)': { estimate: [12, 162], value: ['2', '3'], cost: 36 },
  'l.transformMap(i, v, v * 2)': { estimate: [32, 82], value: { '0': '6', '1': '2', '2': '4', '3': '6' }, cost: 22 },
  'l.transformMap(i, v, i > 2, v)': { estimate: [32, 92], value: { '3': '3' }, cost: 14 },
  'm.transformMap(k, v, v + 1)': { estimate: [32, 82], value: { a: '2' }, cost: 7 },
  'm.transformList(k, v, k)': { estimate: [12, 142], value: ['a'], cost: 15 },
  'm.transformMapEntry(k, v, {v: k})': { estimate: [32, 372], value: { '1': 'a' }, cost: 36 },
  'l.transformMapEntry(i, v, {v: i})': { estimate: [32, 372], error: 'insert failed: key 3 already exists', cost: 138 },
  'ls.transformMapEntry(i, v, i < 3, {v: i})': { estimate: [32, 392], value: { b: '0', a: '1', ü: '2' }, cost: 112 },
  'l.transformMapEntry(i, v, {?i: m.?b})': { estimate: [32, 382], value: {}, cost: 138 },
  '[].transformMap(i, v, v)': { estimate: [41, 41], value: {}, cost: 1 },
  'l.transformList(i, i, i)': {
    compile: 'ERROR: <input>:1:20: duplicate variable name: i\n | l.transformList(i, i, i)\n | ...................^',
  },
  'l.all(__result__, v, true)': {
    compile:
      'ERROR: <input>:1:7: iteration variable overwrites accumulator variable\n | l.all(__result__, v, true)\n | ......^',
  },
  'l.transformMap(k, v, 1 / (v - 2))': { estimate: [32, 92], error: 'division by zero', cost: 21 },
  'l.all(i, v, 1 / (v - 2) > 0)': { estimate: [2, 72], value: false, cost: 18 },
  'l.exists(i, v, 1 / (v - 1) > 0)': { estimate: [2, 82], value: true, cost: 29 },
  "m.all(k, v, k == 'a' && v == 1)": { estimate: [2, 72], value: true, cost: 9 },
  'm.exists(k, v, v == 2)': { estimate: [2, 62], value: false, cost: 8 },
  "{'a': {'b': 1}}.transformMap(k, v, v.transformList(k2, v2, k2 + k))": {
    estimate: [121, 'unknown'],
    value: { a: ['ba'] },
    cost: 21,
  },
  "[1, 2].transformMapEntry(i, v, {'k': v})": {
    estimate: [107, 107],
    error: 'insert failed: key k already exists',
    cost: 67,
  },
  '[1, 2].transformMapEntry(i, v, {v: i, v + 10: i})': {
    estimate: [115, 115],
    value: { '1': '0', '2': '1', '11': '0', '12': '1' },
    cost: 75,
  },
  '[1].transformMapEntry(i, v, 1)': {
    compile:
      "ERROR: <input>:1:22: found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), int)'\n | [1].transformMapEntry(i, v, 1)\n | .....................^",
  },
});
