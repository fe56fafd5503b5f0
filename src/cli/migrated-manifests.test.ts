// Manifests of all API versions that are gone, migrated and applied: a server takes them, and they keep their meaning.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseApiVersion } from '../api/group-version.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { parseYaml } from '../api/yaml-reader.ts';
import { migrateText } from '../migrate/migrate-text.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/past-manifests');
const STRICT = '?fieldValidation=Strict';

/** The documents of a file, one text each. */
function documents(name: string): string[] {
  return readFileSync(join(FIXTURES, name), 'utf8').split(/^---\n/m);
}

async function objectIn(text: string): Promise<ApiObject> {
  return (await parseYaml(text)).value as ApiObject;
}

/** The path of the collection that an object belongs in. */
async function pathOf(server: TestServer, { apiVersion = '', kind = '' }: ApiObject): Promise<string> {
  const { group } = parseApiVersion(apiVersion) ?? { group: '' };
  const prefix = group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const { body } = await server.request('GET', prefix);
  const resources = ((body as JsonObject)['resources'] ?? []) as { name: string; kind: string; namespaced: boolean }[];
  const found = resources.find((each) => each.kind === kind && !each.name.includes('/'));
  assert.ok(found, `${apiVersion} ${kind} is served`);
  return `${prefix}/${found.namespaced ? 'namespaces/default/' : ''}${found.name}`;
}

async function create(server: TestServer, object: ApiObject): Promise<string> {
  const path = await pathOf(server, object);
  const { status, body } = await server.request('POST', path + STRICT, object);
  assert.equal(status, 201, `${object.apiVersion} ${object.kind}: ${JSON.stringify(body)}`);
  return path;
}

/** What an object says, but for what tells it from another. */
function meaningOf({ metadata, status: _, ...rest }: ApiObject): JsonObject {
  return { ...rest, labels: metadata.labels ?? {} };
}

test('a migrated manifest has the same meaning as in its old API version', async () => {
  const texts = documents('served-again.yaml');
  const versions = new Set(await Promise.all(texts.map(async (text) => (await objectIn(text)).apiVersion ?? '')));
  const runtimeConfig = Object.fromEntries([...versions].map((version) => [version, 'true']));
  await using server = await startTestServer({ runtimeConfig, controllers: '' });
  for (const text of texts) {
    const past = await objectIn(text);
    const migrated = await objectIn(migrateText(text, 34).text);
    assert.notEqual(migrated.apiVersion, past.apiVersion);
    await create(server, past);
    migrated.metadata.name = `${past.metadata.name}-migrated`;
    const path = await create(server, migrated);
    const read = async (name = '') => (await server.request('GET', `${path}/${name}`)).body as ApiObject;
    const [was, is] = [await read(past.metadata.name), await read(migrated.metadata.name)];
    assert.deepEqual(meaningOf(is), meaningOf(was), `${past.apiVersion} ${past.kind} ${past.metadata.name}`);
  }
});

test('a manifest of an API version that is no longer served is accepted once it is migrated', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const text of documents('gone.yaml')) {
    const past = await objectIn(text);
    const migrated = await objectIn(migrateText(text, 34).text);
    assert.deepEqual([migrated.kind, migrated.metadata], [past.kind, past.metadata]);
    await create(server, migrated);
  }
});
