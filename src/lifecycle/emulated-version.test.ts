import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmulatedVersionError, parseEmulatedVersion } from './emulated-version.ts';
import { emulationOf } from './version.ts';

test('a version may name its component; without one, or with an empty one, the newest is emulated', () => {
  for (const values of [['1.33'], ['kube=1.33'], ['v1.33'], ['', '1.33']]) {
    assert.deepEqual(parseEmulatedVersion(values), { release: '1.33', minor: 33, minCompatibilityMinor: 32 });
  }
  assert.equal(parseEmulatedVersion([]).release, '1.34');
  assert.equal(parseEmulatedVersion(['']).release, '1.34');
});

test('the minimum compatibility version is the release before, and for kube-apiserver never older than 1.31', () => {
  assert.equal(emulationOf(34).minCompatibilityMinor, 33);
  assert.equal(emulationOf(32).minCompatibilityMinor, 31);
  assert.equal(emulationOf(31).minCompatibilityMinor, 31);
  assert.equal(emulationOf(28).minCompatibilityMinor, 28);
});

test('what cannot be emulated is refused in the words of kube-apiserver', () => {
  const cases: [values: string[], message: string][] = [
    [['abc'], 'could not parse "abc" as version'],
    [['kube='], 'could not parse "" as version'],
    [['1.33.1'], 'patch version not allowed, got: kube=1.33.1'],
    [['x=1.33'], 'component not registered: x'],
    [['1.32', '1.33'], 'duplicate version flag, kube=1.32 and kube=1.33'],
    [['1.35'], 'emulation version 1.35 is not between [1.24, 1.34.0]'],
    [['1.23'], 'emulation version 1.23 is not between [1.24, 1.34.0]'],
  ];
  for (const [values, message] of cases) {
    assert.throws(() => parseEmulatedVersion(values), new EmulatedVersionError(message), values.join());
  }
});
