import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { emulationOf, keelsonVersion, versionDocument, versionLine } from './version.ts';

test('the version of Keelson is that of package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal(keelsonVersion, manifest.version);
  assert.equal(versionLine, `Keelson ${manifest.version} (Kubernetes v1.34.4)`);
});

test('/version names the emulated release, and the platform in the words of Go', () => {
  assert.deepEqual(versionDocument({ nodeVersion: 'v26.10.0', platform: 'linux', arch: 'x64' }, emulationOf(34)), {
    major: '1',
    minor: '34',
    emulationMajor: '1',
    emulationMinor: '34',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '33',
    gitVersion: 'v1.34.4+keelson',
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'node26.10.0',
    compiler: 'v8',
    platform: 'linux/amd64',
  });
  const older = versionDocument({ nodeVersion: 'v24.0.0', platform: 'win32', arch: 'arm64' }, emulationOf(31));
  assert.equal(older.platform, 'windows/arm64');
  assert.deepEqual([older.minor, older.emulationMinor, older.minCompatibilityMinor], ['34', '31', '31']);
});
