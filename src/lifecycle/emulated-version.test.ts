import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EmulatedVersionError,
  emulatedVersionProblem,
  minCompatibilityProblem,
  parseEmulatedVersion,
  requestedRelease,
} from './emulated-version.ts';
import { emulationOf } from './version.ts';

test('--emulated-version may name its component, and the newest release is the default', () => {
  for (const value of ['1.33', 'kube=1.33', 'v1.33', ' 1.33 ', 'kube = 1.33', '1.33.0', '1.033']) {
    const { binary, ...emulated } = parseEmulatedVersion([value]);
    assert.deepEqual(emulated, { release: '1.33', minor: 33, minCompatibilityMinor: 32 }, value);
    assert.deepEqual(binary, { minor: 34, patch: 4 });
  }
  assert.equal(parseEmulatedVersion([]).release, '1.34');
});

test('--emulated-version ignores what follows the numbers', () => {
  for (const value of ['1.33.x', '1.33-alpha.1', '1.33.0+build', '1.33 and more', 'kube=1.33=1.32']) {
    assert.equal(parseEmulatedVersion([value]).release, '1.33', value);
  }
});

test('the minimum compatibility version is the release before, and not older than 1.31 for kube-apiserver', () => {
  assert.equal(emulationOf(34).minCompatibilityMinor, 33);
  assert.equal(emulationOf(32).minCompatibilityMinor, 31);
  assert.equal(emulationOf(31).minCompatibilityMinor, 31);
  assert.equal(emulationOf(28).minCompatibilityMinor, 28);
});

test('an invalid --emulated-version is rejected in the words of kube-apiserver', () => {
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

test('releases out of range cannot be emulated', () => {
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

const requested = (kubernetesVersion: string, emulatedVersion: string[] = [], minCompatibilityVersion: string[] = []) =>
  requestedRelease({ kubernetesVersion, emulatedVersion, minCompatibilityVersion });

test('a release of Kubernetes is given by its minor version, with or without the known patch release', () => {
  for (const text of ['1.37', 'v1.37', '1.37.2'])
    assert.deepEqual(requested(text).binary, { minor: 37, patch: 2 }, text);
  assert.deepEqual(requested('').binary, { minor: 34, patch: 4 });
  for (const text of ['1.23', '1.99', '1.37.0', 'newest', '2.0']) {
    assert.throws(() => requested(text), /^EmulatedVersionError: --kubernetes-version: ".*" is not a known release; /);
  }
});

test('a newer release emulates older ones, and none newer than itself', () => {
  const { release, minor, minCompatibilityMinor } = requested('1.37', ['1.35']);
  assert.deepEqual(
    { release, minor, minCompatibilityMinor },
    { release: '1.35', minor: 35, minCompatibilityMinor: 34 },
  );
  assert.equal(emulatedVersionProblem(requested('1.37', ['1.35'])), undefined);
  assert.equal(
    emulatedVersionProblem(requested('1.36', ['1.37'])),
    'emulation version 1.37 is not between [1.24, 1.36.0]',
  );
});

test('the minimum compatibility version can be set from 1.35 on, up to the emulated version', () => {
  assert.throws(
    () => requested('', [], ['1.33']),
    /--min-compatibility-version needs --kubernetes-version=1\.35 or newer/,
  );
  assert.equal(requested('1.37', [], ['1.37']).minCompatibilityMinor, 37);
  assert.equal(minCompatibilityProblem(requested('1.37', [], ['1.34'])), undefined);
  assert.equal(
    minCompatibilityProblem(requested('1.37', ['1.36'], ['1.37'])),
    'minCompatibilityVersion version 1.37 is not between [1.34, 1.36]',
  );
  assert.equal(
    minCompatibilityProblem(requested('1.37', [], ['1.33'])),
    'minCompatibilityVersion version 1.33 is not between [1.34, 1.37]',
  );
});

test('a server that emulates a release too old for kube-apiserver may be compatible with still older ones', () => {
  for (const oldest of ['1.29', '1.24', '1.33'])
    assert.equal(minCompatibilityProblem(requested('1.37', ['1.33'], [oldest])), undefined, oldest);
  assert.equal(
    minCompatibilityProblem(requested('1.37', ['1.33'], ['1.34'])),
    'minCompatibilityVersion version 1.34 is not between [1.24, 1.33]',
  );
});
