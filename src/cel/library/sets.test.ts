import { testOutcomes } from '../../../test/cel/collections.ts';

// As cel-go v0.26.0 answers.
testOutcomes('sets', {
  'sets.contains(l, [1, 2])': { estimate: [12, 32], value: true, cost: 10 },
  'sets.contains(l, [9])': { estimate: [12, 22], value: false, cost: 6 },
  'sets.contains(l, [])': { estimate: [12, 12], value: true, cost: 2 },
  'sets.equivalent(l, [1, 2, 3])': { estimate: [12, 72], value: true, cost: 26 },
  'sets.equivalent(l, l)': { estimate: [3, 203], value: true, cost: 35 },
  'sets.equivalent([1], [1.0, 1u])': { estimate: [25, 25], value: true, cost: 5 },
  'sets.intersects(l, [7, 8])': { estimate: [12, 32], value: false, cost: 10 },
  'sets.intersects(ls, ls)': { estimate: [3, 103], value: true, cost: 19 },
  'sets.intersects([[1]], [[1]])': { estimate: [42, 42], value: true, cost: 2 },
  "sets.intersects(ld, [dyn('x')])": { estimate: [13, 23], value: true, cost: 8 },
  "sets.contains(ls, ['a', 'b'])": { estimate: [12, 32], value: true, cost: 10 },
  'sets.intersects(ls, d)': {
    estimate: [3, 'unknown'],
    error: 'no such overload: sets.intersects(list, int)',
    cost: 7,
  },
  'sets.contains(d, l)': { estimate: [3, 'unknown'], error: 'no such overload: sets.contains(int, list)', cost: 7 },
});
