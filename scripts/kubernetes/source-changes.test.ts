import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFunctions, changedGates, changedTexts } from './source-changes.ts';

const sources = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files));
const all = () => true;

test('functions of Kubernetes are changed if their code is, whatever their comments say', () => {
  const before = sources({
    'a.go':
      'func Old() {\n\treturn\n}\n\nfunc Same() {\n\t// before\n\tx()\n}\n\nfunc (s *strategy) Prepare() {\n\ta()\n}\n',
  });
  const after = sources({
    'a.go':
      'func New() {\n\treturn\n}\n\nfunc Same() {\n\t// after\n\tx()\n}\n\nfunc (s *strategy) Prepare() {\n\tb()\n}\n',
  });
  assert.deepEqual(changedFunctions(before, after, all), {
    added: ['a.go New'],
    removed: ['a.go Old'],
    changed: ['a.go strategy.Prepare'],
  });
});

test('only functions of the files that are meant count as changed', () => {
  const after = sources({ 'validation/a.go': 'func A() {\n}\n', 'table/b.go': 'func B() {\n}\n' });
  const changes = changedFunctions(new Map(), after, (path) => path.startsWith('validation/'));
  assert.deepEqual(changes.added, ['validation/a.go A']);
});

test('texts of three words or more that only one release has are listed', () => {
  const before = sources({ 'a.go': 'x("must be positive")\ny("name")\nz("is not \\"allowed\\" here")\n' });
  const after = sources({ 'a.go': 'x("must be greater than zero")\nz("is not \\"allowed\\" here")\n' });
  assert.deepEqual(changedTexts(before, after), {
    added: ['must be greater than zero'],
    removed: ['must be positive'],
  });
});

test('feature gates that are new or have another default are listed with the files that ask for them', () => {
  const spec = (since: number, on: boolean) => ({ since, stage: 'BETA', default: on, locked: false });
  const before = { specs: { Kept: [spec(30, true)], Turned: [spec(36, false)] }, requires: {} };
  const after = {
    specs: { Kept: [spec(30, true)], Turned: [spec(36, false), spec(38, true)], Added: [spec(38, false)] },
    requires: {},
  };
  const files = sources({ 'b.go': 'if enabled(features.Turned) {', 'a.go': 'enabled(genericfeatures.TurnedOff)' });
  assert.deepEqual(changedGates(before, after, files), [
    { name: 'Added', what: 'new, off', files: [] },
    { name: 'Turned', what: 'on instead of off', files: ['b.go'] },
  ]);
});
