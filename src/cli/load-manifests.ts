// Applies manifests to a newly started server: namespaces and CustomResourceDefinitions first, other objects when the
// definitions are established.

import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../api/object.ts';
import { type FileObject, readObjectFiles } from '../server/object-files.ts';

/** Sends a request as the administrator. */
export type Send = (method: string, path: string, body?: string) => Promise<{ status: number; body: JsonObject }>;

const DEFINITION = 'CustomResourceDefinition';
const FIRST = ['Namespace', DEFINITION];

/** Timeout for definitions to be established, and polling interval. */
const ESTABLISHED_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Applies files, and those in folders. @throws Error that names the file */
export async function loadManifests(paths: readonly string[], send: Send): Promise<void> {
  const manifests = await readObjectFiles(paths);
  for (const kind of FIRST) {
    for (const manifest of manifests) if (manifest.object['kind'] === kind) await apply(manifest, send);
  }
  for (const manifest of manifests) if (manifest.object['kind'] === DEFINITION) await established(manifest, send);
  for (const manifest of manifests) {
    if (!FIRST.includes(String(manifest.object['kind']))) await apply(manifest, send);
  }
}

async function apply(manifest: FileObject, send: Send): Promise<void> {
  const path = await pathOf(manifest, send);
  const { status, body } = await send(
    'PATCH',
    `${path}?fieldManager=keelson&force=true`,
    JSON.stringify(manifest.object),
  );
  if (status >= 300) throw new Error(`${manifest.file}: ${String(body['message'] ?? status)}`);
}

async function established(manifest: FileObject, send: Send): Promise<void> {
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
async function pathOf({ file, object }: FileObject, send: Send): Promise<string> {
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
