import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmulatedVersionError, emulatedVersionProblem, parseEmulatedVersion } from './emulated-version.ts';
import { emulationOf } from './version.ts';

test('a version may name its component; without one the newest is emulated', () => {
  for (const value of ['1.33', 'kube=1.33', 'v1.33', ' 1.33 ', 'kube = 1.33', '1.33.0', '1.033']) {
    assert.deepEqual(parseEmulatedVersion([value]), { release: '1.33', minor: 33, minCompatibilityMinor: 32 }, value);
  }
  assert.equal(parseEmulatedVersion([]).release, '1.34');
});

test('what stands behind the numbers counts for nothing', () => {
  for (const value of ['1.33.x', '1.33-alpha.1', '1.33.0+build', '1.33 and more', 'kube=1.33=1.32']) {
    assert.equal(parseEmulatedVersion([value]).release, '1.33', value);
  }
});

test('the minimum compatibility version is the release before, and for kube-apiserver never older than 1.31', () => {
  assert.equal(emulationOf(34).minCompatibilityMinor, 33);
  assert.equal(emulationOf(32).minCompatibilityMinor, 31);
  assert.equal(emulationOf(31).minCompatibilityMinor, 31);
  assert.equal(emulationOf(28).minCompatibilityMinor, 28);
});

test('what is no version is refused in the words of kube-apiserver', () => {
  const cases: [values: string[], message: string][] = [
    [['abc'], 'could not parse "abc" as version'],
    [[' '], 'could not parse " " as version'],
    [['kube='], 'could not parse "" as version'],
    [['', '1.33'], 'could not parse "" as version'],
    [['1'], 'illegal version string "1"'],
    [['1.x'], 'illegal version string "1.x"'],
    [['01.33'], 'illegal zero-prefixed version component "01" in "01.33"'],
    [
      ['1.99999999999999999999'],
      'illegal non-numeric version component "99999999999999999999" in "1.99999999999999999999": ' +
        'strconv.ParseUint: parsing "99999999999999999999": value out of range',
    ],
    [['v1.33.01'], 'patch version not allowed, got: kube=1.33.1'],
    [['x=1.33'], 'component not registered: x'],
    [['x=abc'], 'could not parse "abc" as version'],
    [['1.32', '1.33'], 'duplicate version flag, kube=1.32 and kube=1.33'],
  ];
  for (const [values, message] of cases) {
    assert.throws(() => parseEmulatedVersion(values), new EmulatedVersionError(message), values.join());
  }
});

test('versions out of range cannot be emulated', () => {
  const cases: [value: string, shown: string | undefined][] = [
    ['1.24', undefined],
    ['1.34', undefined],
    ['1.23', '1.23'],
    ['1.35', '1.35'],
    ['0.33', '0.33'],
    ['2.0', '2.0'],
  ];
  for (const [value, shown] of cases) {
    const problem = shown === undefined ? undefined : `emulation version ${shown} is not between [1.24, 1.34.0]`;
    assert.equal(emulatedVersionProblem(parseEmulatedVersion([value])), problem, value);
  }
});
