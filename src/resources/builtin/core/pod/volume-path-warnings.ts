// Warnings of volumes whose files would lie on top of each other.

import type { Json } from '../../../../api/object.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { withoutTrailing } from '../../../../base/without-trailing.ts';
import { isObject, listAt, textAt } from '../../../value.ts';
import type { VolumeShape } from './shape.ts';

interface PlacedPath {
  readonly path: string;
  /** Where the file comes from, as messages tell it. */
  readonly source: () => string;
}

export function overlappingPathWarnings(volumes: readonly VolumeShape[]): readonly string[] {
  return ofItems(volumes, (volume) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    if (isObject(configMap)) {
      return warned(volume, () => named('ConfigMap', textAt(configMap, 'name')), itemPaths(configMap));
    }
    if (isObject(secret)) return warned(volume, () => named('Secret', textAt(secret, 'secretName')), itemPaths(secret));
    if (isObject(downwardAPI)) return warned(volume, () => 'DownwardAPI', itemPaths(downwardAPI));
    if (!isObject(projected)) return NONE;
    const sources = listAt(projected, 'sources');
    return joined(
      ofItems(sources, (source) => (isNothing(source) ? [`volume ${nameOf(volume)} (Projected) ${EMPTY}`] : NONE)),
      warned(volume, () => 'Projected', sources.flatMap(projectedPaths)),
    );
  });
}

const EMPTY = 'has no sources provided';

function isNothing(source: Json): boolean {
  return isObject(source) && Object.keys(source).length === 0;
}

function nameOf(volume: VolumeShape): string {
  return JSON.stringify(textAt(volume, 'name'));
}

function named(kind: string, name: string): string {
  return `${kind} ${JSON.stringify(name)}`;
}

/** @param source where the files come from, as messages tell it */
function itemPaths(items: Json | undefined, source = NOWHERE): PlacedPath[] {
  return listAt(items, 'items').map((item) => ({ path: textAt(item, 'path'), source }));
}

const NOWHERE = () => '';

function projectedPaths(projection: Json): PlacedPath[] {
  if (!isObject(projection)) return [];
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  if (isObject(configMap)) return itemPaths(configMap, () => named('ConfigMap', textAt(configMap, 'name')));
  if (isObject(secret)) return itemPaths(secret, () => named('Secret', textAt(secret, 'name')));
  if (isObject(downwardAPI)) return itemPaths(downwardAPI, () => 'DownwardAPI');
  if (isObject(serviceAccountToken)) {
    return [{ path: textAt(serviceAccountToken, 'path'), source: () => 'ServiceAccountToken' }];
  }
  if (!isObject(clusterTrustBundle)) return [];
  const name = textAt(clusterTrustBundle, 'name') || textAt(clusterTrustBundle, 'signerName');
  return [{ path: textAt(clusterTrustBundle, 'path'), source: () => named('ClusterTrustBundle', name) }];
}

function warned(volume: VolumeShape, what: () => string, paths: readonly PlacedPath[]): readonly string[] {
  return ofItems(paths, (each, index) =>
    ofItems(paths.slice(0, index), (other) => {
      if (!overlap(withoutSlashes(each.path), withoutSlashes(other.path))) return NONE;
      return [`volume ${nameOf(volume)} (${what()}): overlapping paths: ${told(each)} with ${told(other)}`];
    }),
  );
}

function withoutSlashes(path: string): string {
  return withoutTrailing(path, '/');
}

/** The same file, or one where the other needs a directory. */
function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function told({ path, source }: PlacedPath): string {
  const file = JSON.stringify(withoutSlashes(path));
  return source === NOWHERE ? file : `${file} (${source()})`;
}
