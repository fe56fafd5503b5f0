// Contexts of kubeconfig files: the clusters that the console can use, and the credentials for each.

import { dirname, isAbsolute, join } from 'node:path';
import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { type ExecCredentials, execPlugin } from '../outbound/exec-plugin.ts';
import { type KubeconfigTarget, kubeconfigEntry, kubeconfigTarget, parseKubeconfig } from '../outbound/kubeconfig.ts';

/** How to reach a cluster: its address and the credentials. */
export interface ClusterAccess {
  readonly target: KubeconfigTarget;
  /** Runs the user's credential plugin, if one is configured; called before each request. */
  readonly exec: (() => Promise<ExecCredentials>) | undefined;
}

export interface Contexts {
  readonly names: readonly string[];
  /** The current-context of the files; '' if there is none. */
  readonly current: string;
  /** @throws Error whose message describes the problem with the context */
  access(name: string): ClusterAccess;
}

const LISTS = ['clusters', 'users', 'contexts'] as const;
const FILES_OF = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;
const PATHS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/**
 * Reads and merges kubeconfig files as kubectl does: the first file that defines a name wins.
 * @param paths in the order of KUBECONFIG; if there are several, missing ones are skipped
 * @throws Error whose message describes the problem
 */
export async function readContexts(paths: readonly string[], readText: (path: string) => string): Promise<Contexts> {
  const merged: Record<string, JsonObject[]> = { clusters: [], users: [], contexts: [] };
  let current = '';
  for (const path of paths) {
    const config = await configAt(path, { readText, optional: paths.length > 1 });
    if (config === undefined) continue;
    if (current === '' && typeof config['current-context'] === 'string') current = config['current-context'];
    for (const list of LISTS) merge(merged[list]!, config[list], { list, folder: dirname(path) });
  }
  const config: Json = { ...merged };
  return {
    names: merged['contexts']!.map(({ name }) => String(name)),
    current,
    access: (name) => accessOf(config, name, readText),
  };
}

async function configAt(
  path: string,
  { readText, optional }: { readText: (path: string) => string; optional: boolean },
): Promise<JsonObject | undefined> {
  try {
    const config = await parseKubeconfig(path, readText);
    return isObject(config) ? config : undefined;
  } catch (error) {
    if (optional && ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Adds the entries with new names, with their paths made absolute. */
function merge(
  into: JsonObject[],
  entries: Json | undefined,
  { list, folder }: { list: (typeof LISTS)[number]; folder: string },
): void {
  if (!Array.isArray(entries)) return;
  for (const entry of entries.filter(isObject)) {
    if (into.some(({ name }) => name === entry['name'])) continue;
    const member = FILES_OF[list];
    const value = entry[member];
    into.push({ ...entry, [member]: isObject(value) ? absolutePaths(value, folder) : {} });
  }
}

function absolutePaths(value: JsonObject, folder: string): JsonObject {
  const changed: JsonObject = { ...value };
  for (const name of PATHS) {
    const path = value[name];
    if (typeof path === 'string' && path !== '' && !isAbsolute(path)) changed[name] = join(folder, path);
  }
  return changed;
}

function accessOf(config: Json, name: string, readText: (path: string) => string): ClusterAccess {
  const context = kubeconfigEntry(config, 'context', name);
  if (!isObject(context)) throw new Error(`context ${JSON.stringify(name)} was not found`);
  const user = kubeconfigEntry(config, 'user', String(context['user'] ?? ''));
  const plugin = isObject(user) ? user['exec'] : undefined;
  const files = { folder: '/', readText };
  if (!isObject(plugin)) return { target: kubeconfigTarget(config, context, files), exec: undefined };
  // The plugin provides all credentials; the rest of the context provides the address.
  const { user: _, ...place } = context;
  const { credentials } = execPlugin(plugin, { now: Date.now });
  return { target: kubeconfigTarget(config, place, files), exec: credentials };
}
