import { testOutcomes } from '../../../test/cel/collections.ts';

// As cel-go v0.26.0 answers.
testOutcomes('bindings', {
  'cel.bind(x, l.size(), x + x)': { estimate: [15, 15], value: '8', cost: 5 },
  'cel.bind(x, 1 / 0, 2)': { estimate: [11, 11], value: '2', cost: 0 },
  'cel.bind(x, l, x.exists(e, e in x))': { estimate: [13, 173], value: true, cost: 16 },
  'cel.bind(a, 1, cel.bind(b, a + 1, a + b))': { estimate: [25, 25], value: '3', cost: 5 },
  'cel.bind(x.y, 1, 2)': {
    compile:
      'ERROR: <input>:1:11: cel.bind() variable names must be simple identifiers\n | cel.bind(x.y, 1, 2)\n | ..........^',
  },
  'other.bind(a, 1, 2)': {
    compile:
      "ERROR: <input>:1:1: undeclared reference to 'other' (in container '')\n | other.bind(a, 1, 2)\n | ^\nERROR: <input>:1:11: undeclared reference to 'bind' (in container '')\n | other.bind(a, 1, 2)\n | ..........^\nERROR: <input>:1:12: undeclared reference to 'a' (in container '')\n | other.bind(a, 1, 2)\n | ...........^",
  },
  'cel.bind(m, 1, m + 1)': { estimate: [12, 12], value: '2', cost: 2 },
  'cel.bind(x, l, l.map(y, y in x))': { estimate: [23, 263], value: [true, true, true, true], cost: 75 },
});
