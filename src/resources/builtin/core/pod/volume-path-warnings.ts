// Warnings for volumes with overlapping file paths.

import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { inParts, overItems } from '../../../../base/resumed.ts';
import type { Steps } from '../../../../base/steps.ts';
import { withoutTrailing } from '../../../../base/without-trailing.ts';
import type { Volume, VolumeProjection } from '../volume/objects.ts';
import { ShownWarnings } from './shown-warnings.ts';

interface PlacedPath {
  readonly path: string;
  /** The origin of a file, as in messages. */
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
      warned(volume, () => 'Projected', overItems(sources, projectedPaths)),
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

/** @param source of the files, as in messages */
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
  return inParts(() => warning(volume, what, paths));
}

const PATHS_IN_STEP = 100;

function* warning(volume: Volume, what: () => string, paths: readonly PlacedPath[]): Steps<readonly string[]> {
  const found = new ShownWarnings();
  const root = new Place();
  for (const [order, each] of paths.entries()) {
    if (order % PATHS_IN_STEP === 0) yield;
    const text = told(each);
    for (const other of root.take({ text, order }, withoutSlashes(each.path).split('/'))) {
      found.add(`volume ${nameOf(volume)} (${what()}): overlapping paths: ${text} with ${other.text}`);
      if (found.isFull) return found.texts;
    }
  }
  return found.texts;
}

/** A file as in messages, at its first position in the list. */
interface ToldFile {
  readonly text: string;
  readonly order: number;
}

/** A node in a tree of files and directories: paths are looked up by segment, instead of comparing all pairs. */
class Place {
  readonly #places = new Map<string, Place>();
  readonly #here: ToldFile[] = [];
  readonly #below: ToldFile[] = [];

  /** Inserts a file. @returns the earlier files that it overlaps, in order */
  take(file: ToldFile, parts: readonly string[]): readonly ToldFile[] {
    const way: Place[] = [];
    let place: Place = this;
    for (const part of parts) {
      way.push(place);
      place = place.#at(part);
    }
    const clashing = [...way.flatMap((each) => each.#here), ...place.#here, ...place.#below];
    if (!place.#here.some(({ text }) => text === file.text)) {
      place.#here.push(file);
      for (const each of way) each.#below.push(file);
    }
    return clashing.sort((one, other) => one.order - other.order);
  }

  #at(part: string): Place {
    let place = this.#places.get(part);
    if (place === undefined) {
      place = new Place();
      this.#places.set(part, place);
    }
    return place;
  }
}

function withoutSlashes(path: string): string {
  return withoutTrailing(path, '/');
}

function told({ path, source }: PlacedPath): string {
  const file = JSON.stringify(withoutSlashes(path));
  return source === NOWHERE ? file : `${file} (${source()})`;
}
