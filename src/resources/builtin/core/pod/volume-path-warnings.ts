// Warnings of volumes whose files would lie on top of each other.

import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { withoutTrailing } from '../../../../base/without-trailing.ts';
import type { Volume, VolumeProjection } from '../volume/objects.ts';

interface PlacedPath {
  readonly path: string;
  /** Where the file comes from, as messages tell it. */
  readonly source: () => string;
}

export function overlappingPathWarnings(volumes: readonly Volume[]): readonly string[] {
  return ofItems(volumes, (volume) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    if (configMap !== undefined) {
      return warned(volume, () => named('ConfigMap', configMap.name ?? ''), itemPaths(configMap));
    }
    if (secret !== undefined) return warned(volume, () => named('Secret', secret.secretName ?? ''), itemPaths(secret));
    if (downwardAPI !== undefined) return warned(volume, () => 'DownwardAPI', itemPaths(downwardAPI));
    if (projected === undefined) return NONE;
    const sources = projected.sources ?? [];
    return joined(
      ofItems(sources, (source) => (isNothing(source) ? [`volume ${nameOf(volume)} (Projected) ${EMPTY}`] : NONE)),
      warned(volume, () => 'Projected', sources.flatMap(projectedPaths)),
    );
  });
}

const EMPTY = 'has no sources provided';

function isNothing(source: VolumeProjection): boolean {
  return Object.keys(source).length === 0;
}

function nameOf(volume: Volume): string {
  return JSON.stringify(volume.name ?? '');
}

function named(kind: string, name: string): string {
  return `${kind} ${JSON.stringify(name)}`;
}

/** @param source where the files come from, as messages tell it */
function itemPaths(
  { items }: { readonly items?: readonly { readonly path?: string }[] },
  source = NOWHERE,
): PlacedPath[] {
  return (items ?? []).map(({ path = '' }) => ({ path, source }));
}

const NOWHERE = () => '';

function projectedPaths(projection: VolumeProjection): PlacedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  if (configMap !== undefined) return itemPaths(configMap, () => named('ConfigMap', configMap.name ?? ''));
  if (secret !== undefined) return itemPaths(secret, () => named('Secret', secret.name ?? ''));
  if (downwardAPI !== undefined) return itemPaths(downwardAPI, () => 'DownwardAPI');
  if (serviceAccountToken !== undefined) {
    return [{ path: serviceAccountToken.path ?? '', source: () => 'ServiceAccountToken' }];
  }
  if (clusterTrustBundle === undefined) return [];
  const name = (clusterTrustBundle.name ?? '') || (clusterTrustBundle.signerName ?? '');
  return [{ path: clusterTrustBundle.path ?? '', source: () => named('ClusterTrustBundle', name) }];
}

function warned(volume: Volume, what: () => string, paths: readonly PlacedPath[]): readonly string[] {
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
