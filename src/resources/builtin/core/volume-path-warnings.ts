// Warnings of volumes whose files would lie on top of each other.

import type { Json } from '../../../api/object.ts';
import { isObject, listAt, textAt } from '../../value.ts';
import type { VolumeShape } from './pod-shape.ts';

interface PlacedPath {
  readonly path: string;
  /** Where the file comes from, as messages tell it. */
  readonly source: string;
}

export function overlappingPathWarnings(volumes: readonly VolumeShape[]): string[] {
  return volumes.flatMap((volume) => {
    const name = JSON.stringify(textAt(volume, 'name'));
    const { configMap, secret, downwardAPI, projected } = volume;
    if (isObject(configMap)) return warned(name, named('ConfigMap', textAt(configMap, 'name')), itemPaths(configMap));
    if (isObject(secret)) return warned(name, named('Secret', textAt(secret, 'secretName')), itemPaths(secret));
    if (isObject(downwardAPI)) return warned(name, 'DownwardAPI', itemPaths(downwardAPI));
    if (!isObject(projected)) return [];
    const sources = listAt(projected, 'sources');
    const empty = sources
      .filter((source) => isObject(source) && Object.keys(source).length === 0)
      .map(() => `volume ${name} (Projected) has no sources provided`);
    return [...empty, ...warned(name, 'Projected', sources.flatMap(projectedPaths))];
  });
}

function named(kind: string, name: string): string {
  return `${kind} ${JSON.stringify(name)}`;
}

function itemPaths(source: Json | undefined, from = ''): PlacedPath[] {
  return listAt(source, 'items').map((item) => ({ path: textAt(item, 'path'), source: from }));
}

function projectedPaths(projection: Json): PlacedPath[] {
  if (!isObject(projection)) return [];
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  if (isObject(configMap)) return itemPaths(configMap, named('ConfigMap', textAt(configMap, 'name')));
  if (isObject(secret)) return itemPaths(secret, named('Secret', textAt(secret, 'name')));
  if (isObject(downwardAPI)) return itemPaths(downwardAPI, 'DownwardAPI');
  if (isObject(serviceAccountToken)) {
    return [{ path: textAt(serviceAccountToken, 'path'), source: 'ServiceAccountToken' }];
  }
  if (!isObject(clusterTrustBundle)) return [];
  const name = textAt(clusterTrustBundle, 'name') || textAt(clusterTrustBundle, 'signerName');
  return [{ path: textAt(clusterTrustBundle, 'path'), source: named('ClusterTrustBundle', name) }];
}

function warned(volume: string, what: string, paths: readonly PlacedPath[]): string[] {
  const found: string[] = [];
  const placed: PlacedPath[] = [];
  for (const each of paths.map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }))) {
    for (const other of placed) {
      if (!overlap(each.path, other.path)) continue;
      found.push(`volume ${volume} (${what}): overlapping paths: ${told(each)} with ${told(other)}`);
    }
    placed.push(each);
  }
  return found;
}

/** The same file, or one where the other needs a directory. */
function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function told({ path, source }: PlacedPath): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}
