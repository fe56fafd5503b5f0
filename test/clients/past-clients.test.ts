// Programs of the time of API versions that are gone: each row of the versions that are served again is worked through
// with the types, codecs and requests of a client-go that still had it, against a server that emulates its release.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { ApiObject, Json, JsonObject } from '../../src/api/object.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { answers, run } from './commands.ts';
import { type PastRow, pastRows } from './past-rows.ts';

const sources = join(import.meta.dirname, 'past');
/** Each client-go, and the release that its server emulates. */
const CLIENTS = { 'v0.21': '1.24', 'v0.25': '1.24', 'v0.26': '1.28' } as const;
const CONTENT_TYPES = ['application/json', 'application/vnd.kubernetes.protobuf'];
/** Nothing cached, on two busy processors: minutes. */
const buildTimeoutMs = 900_000;
const rowTimeoutMs = 120_000;

interface Seen {
  readonly [step: string]: JsonObject;
}

for (const [client, release] of Object.entries(CLIENTS)) {
  suite(`client-go ${client} with a server of release ${release}`, {
    skip: without(client),
    timeout: buildTimeoutMs,
  }, () => {
    let folder: string;
    let server: TestServer;
    before(
      async () => {
        folder = await mkdtemp(join(tmpdir(), 'keelson-past-'));
        const fast = [`-modfile=${client}.mod`, '-gcflags=all=-dwarf=false -N -l', '-ldflags=-s -w'];
        const env = { CGO_ENABLED: '0' };
        await run('go', ['build', ...fast, '-o', join(folder, 'past'), '.'], { cwd: sources, env, yielding: true });
        server = await startTestServer({ listen: true, emulatedVersion: [release] });
        await writeFile(join(folder, 'kubeconfig'), server.kubeconfigText);
      },
      { timeout: buildTimeoutMs },
    );
    after(async () => {
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    for (const row of pastRows.filter(({ clients }) => clients.includes(client))) {
      for (const type of CONTENT_TYPES) {
        const what = `${row.object.apiVersion} ${row.object.kind} in ${type}`;
        test(`client-go ${client} reads and writes ${what} with a server of ${release}`, {
          timeout: rowTimeoutMs,
        }, async ({ signal }) => {
          const { resource, namespace = '', object, patch, apply } = row;
          const argument = JSON.stringify({
            resource,
            namespace,
            object,
            patch,
            apply: { ...named(object), ...apply },
          });
          const env = { KUBECONFIG: join(folder, 'kubeconfig'), CONTENT_TYPE: type };
          const [seen] = JSON.parse(await run(join(folder, 'past'), [argument], { env, signal })) as [Seen];
          assertSeen(seen, row);
        });
      }
    }
  });
}

function named({ apiVersion, kind, metadata }: PastRow['object']): JsonObject {
  return { apiVersion, kind, metadata };
}

function assertSeen(seen: Seen, { object, patch, apply, defaulted }: PastRow): void {
  const { apiVersion: _apiVersion, kind: _kind, ...said } = object;
  contains(seen['Created'], said);
  contains(seen['Created'], defaulted);
  contains(seen['Updated'], { ...said, metadata: { labels: { updated: 'yes' } } });
  contains(seen['Patched'], patch);
  contains(seen['Applied'], apply);
  assert.deepEqual(seen['Listed'], seen['Applied']);
  const events = seen['Events'] as unknown as { Type: string; Object: JsonObject }[];
  // Controllers may write in between, and a finalizer may have to leave before the object does.
  let type = 'ADDED';
  for (const step of ['Created', 'Updated', 'Patched', 'Applied']) {
    const event = events.find((each) => versionOf(each.Object) === versionOf(seen[step]));
    assert.deepEqual(event, { Type: type, Object: seen[step] }, step);
    type = 'MODIFIED';
  }
  assert.equal(events.at(-1)?.Type, 'DELETED');
}

function versionOf(object: JsonObject | undefined): string | undefined {
  return (object as ApiObject | undefined)?.metadata.resourceVersion;
}

/** That all which `part` says is in `whole`. */
function contains(whole: Json | undefined, part: Json, place = ''): void {
  if (typeof part !== 'object' || part === null) {
    assert.deepEqual(whole, part, place);
    return;
  }
  assert.ok(typeof whole === 'object' && whole !== null, `${place} is ${JSON.stringify(whole)}`);
  if (Array.isArray(part)) assert.equal((whole as Json[]).length, part.length, place);
  for (const [member, value] of Object.entries(part)) {
    contains((whole as Record<string, Json>)[member], value as Json, `${place}.${member}`);
  }
}

/** Why nothing of this can be run here, or false. */
function without(client: string): string | false {
  if (!answers('go', 'version')) return 'Go is not installed: no client of an older time is tested';
  const modules = `the modules of client-go ${client} are not there and cannot be fetched: it is not tested`;
  return answers('go', '-C', sources, 'list', `-modfile=${client}.mod`, '-deps', '.') ? false : modules;
}
