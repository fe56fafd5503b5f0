// Applies manifests to a newly started server: namespaces and CustomResourceDefinitions first, other objects when the
// definitions are established.

import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '../api/object.ts';
import { documentAt } from '../api/yaml-fault.ts';
import { parseYaml } from '../api/yaml-reader.ts';
import { readText } from '../server/files.ts';

/** Sends a request as the administrator. */
export type Send = (method: string, path: string, body?: string) => Promise<{ status: number; body: JsonObject }>;

interface Manifest {
  readonly file: string;
  readonly object: JsonObject;
}

const DEFINITION = 'CustomResourceDefinition';
const FIRST = ['Namespace', DEFINITION];

const KUSTOMIZE_FILE = /^kustom(ization|izeconfig)\.ya?ml$/;

/** Timeout for definitions to be established, and polling interval. */
const ESTABLISHED_MS = 30_000;
const LOOK_EVERY_MS = 10;

/**
 * Applies files, and those in folders that end in .yaml, .yml and .json. Files of kustomize in such a folder, which lie
 * beside the definitions in the usual layout of an operator, are not for a server. @throws Error that names the file
 */
export async function loadManifests(paths: readonly string[], send: Send): Promise<void> {
  const manifests = (await Promise.all(paths.flatMap(filesOf).map(readManifests))).flat();
  for (const kind of FIRST) {
    for (const manifest of manifests) if (manifest.object['kind'] === kind) await apply(manifest, send);
  }
  for (const manifest of manifests) if (manifest.object['kind'] === DEFINITION) await established(manifest, send);
  for (const manifest of manifests) {
    if (!FIRST.includes(String(manifest.object['kind']))) await apply(manifest, send);
  }
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${path}: no such file or directory`);
  if (!found.isDirectory()) return [path];
  const inside = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  const manifests = inside.filter((name) => /\.(ya?ml|json)$/.test(name) && !KUSTOMIZE_FILE.test(basename(name)));
  return manifests.map((name) => join(path, name));
}

async function readManifests(file: string): Promise<Manifest[]> {
  const text = readText(file);
  const objects: Manifest[] = [];
  let at = 0;
  for (const document of text.split(/^---(?=\s|$)/m)) {
    const value = await parseYaml(documentAt(text, at, at + document.length)).then(
      (parsed) => parsed.value,
      (error: Error) => {
        throw new Error(`${file}: ${error.message}`);
      },
    );
    at += document.length + '---'.length;
    if (value !== null) objects.push(...objectsIn(value, file).map((object) => ({ file, object })));
  }
  return objects;
}

/** The items of a list, or the object itself. @throws Error for anything but an object */
function objectsIn(value: Json, file: string): JsonObject[] {
  const { items, kind } = objectOf(value, file);
  const isList = Array.isArray(items) && String(kind).endsWith('List');
  return (isList ? items : [value]).map((each) => objectOf(each, file));
}

function objectOf(value: Json, file: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error(`${file}: a document that is not an object`);
}

async function apply(manifest: Manifest, send: Send): Promise<void> {
  const path = await pathOf(manifest, send);
  const { status, body } = await send(
    'PATCH',
    `${path}?fieldManager=keelson&force=true`,
    JSON.stringify(manifest.object),
  );
  if (status >= 300) throw new Error(`${manifest.file}: ${String(body['message'] ?? status)}`);
}

async function established(manifest: Manifest, send: Send): Promise<void> {
  const path = await pathOf(manifest, send);
  for (let waited = 0; waited < ESTABLISHED_MS; waited += LOOK_EVERY_MS) {
    const { body } = await send('GET', path);
    const { conditions } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
    if (conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`${manifest.file}: ${nameOf(manifest.object)} is not established`);
}

/** The path of an object, from the server's discovery of its kind. */
async function pathOf({ file, object }: Manifest, send: Send): Promise<string> {
  const { apiVersion, kind } = object as { apiVersion?: string; kind?: string };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new Error(`${file}: an object without apiVersion and kind`);
  }
  const version = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await send('GET', version);
  const resources = (body['resources'] ?? []) as { name: string; kind: string; namespaced: boolean }[];
  const resource = resources.find(({ name, kind: of }) => of === kind && !name.includes('/'));
  if (resource === undefined) throw new Error(`${file}: no matches for kind ${JSON.stringify(kind)} in ${apiVersion}`);
  const { namespace = 'default' } = (object['metadata'] ?? {}) as { namespace?: string };
  const place = resource.namespaced ? `${version}/namespaces/${encodeURIComponent(namespace)}` : version;
  return `${place}/${resource.name}/${encodeURIComponent(nameOf(object))}`;
}

function nameOf(object: JsonObject): string {
  const { name } = (object['metadata'] ?? {}) as { name?: string };
  return name ?? '';
}
