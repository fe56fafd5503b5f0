// Kubernetes' rules of how API versions come and go, held to the catalog of every release that can be emulated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiVersionOf } from '../api/group-version.ts';
import { apiLifecycle, introducedMinor } from '../lifecycle/api-lifecycles.ts';
import { emulationOf } from '../lifecycle/version.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { removedVersions } from './removed/removed-versions.ts';

const RELEASES = Array.from({ length: 11 }, (_, index) => 24 + index);

function catalogAt(minor: number, all: boolean): Catalog {
  const runtimeConfig: Record<string, string> = all ? { 'api/all': 'true' } : {};
  return createCatalog({ emulation: emulationOf(minor), runtimeConfig, removedVersions });
}

/** 3 for stable, 2 for beta, 1 for alpha. */
function stability(version: string): number {
  return version.includes('alpha') ? 1 : version.includes('beta') ? 2 : 3;
}

const minorOf = (release: string) => Number(release.split('.')[1]);

/** Every kind in every version that any release serves, once. */
const kinds = new Map<string, { groupVersion: string; version: string; kind: string }>();
for (const minor of RELEASES) {
  for (const { definition, version } of catalogAt(minor, true).entries()) {
    const groupVersion = apiVersionOf({ group: definition.group, version: version.version });
    const { kind } = definition;
    kinds.set(`${groupVersion} ${kind}`, { groupVersion, version: version.version, kind });
  }
}

test('a stable API version may be deprecated, and is never removed', () => {
  for (const { groupVersion, version, kind } of kinds.values()) {
    if (stability(version) === 3) assert.equal(apiLifecycle(groupVersion, kind)?.removed, undefined, groupVersion);
  }
});

test('a beta API version is served for three releases after its deprecation', () => {
  for (const [name, { groupVersion, version, kind }] of kinds) {
    const lifecycle = apiLifecycle(groupVersion, kind);
    if (stability(version) !== 2 || lifecycle?.removed === undefined) continue;
    assert.ok(minorOf(lifecycle.removed) - minorOf(lifecycle.deprecated) >= 3, name);
  }
});

test('no API version is deprecated in favor of a less stable one', () => {
  let replaced = 0;
  for (const [name, { groupVersion, version, kind }] of kinds) {
    const { replacement } = apiLifecycle(groupVersion, kind) ?? {};
    if (replacement === undefined) continue;
    replaced++;
    assert.ok(stability(replacement.split('/').at(-2)!) >= stability(version), `${name}: ${replacement}`);
  }
  assert.ok(replaced > 10, 'there are such');
});

test('an API version is served from the release that adds it until the one that removes it', () => {
  for (const minor of RELEASES) {
    for (const { definition, version } of catalogAt(minor, true).entries()) {
      const groupVersion = apiVersionOf({ group: definition.group, version: version.version });
      const removed = apiLifecycle(groupVersion, definition.kind)?.removed;
      const place = `${groupVersion} ${definition.kind} at 1.${minor}`;
      assert.ok(introducedMinor(groupVersion, definition.kind) <= minor, place);
      assert.ok(removed === undefined || minorOf(removed) > minor, place);
    }
  }
});

test('the preferred version of a group is its most stable one, and advances a release after that is added', () => {
  const preferred = (minor: number) =>
    new Map(catalogAt(minor, false).groups.map(({ group, versions }) => [group, versions[0]!.version]));
  let advanced = 0;
  for (const minor of RELEASES.slice(1)) {
    const [before, now] = [preferred(minor - 1), preferred(minor)];
    const all = catalogAt(minor, true);
    for (const { group, versions } of catalogAt(minor, false).groups) {
      const most = Math.max(...versions.map(({ version }) => stability(version)));
      assert.equal(stability(versions[0]!.version), most, `${group} at 1.${minor}`);
    }
    for (const [group, version] of now) {
      const former = before.get(group);
      if (former === undefined || former === version) continue;
      advanced++;
      assert.ok(stability(version) >= stability(former), `${group} at 1.${minor}`);
      const both = all.hasVersion(group, former) || catalogAt(minor - 1, true).hasVersion(group, version);
      assert.ok(both, `no release has both ${group}/${former} and ${version}, which 1.${minor} prefers`);
    }
  }
  assert.ok(advanced > 0, 'some do');
});
