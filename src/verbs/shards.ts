// The part of a collection that a list or watch asks for by its parameter `shardSelector`, behind a feature gate.

import { errors } from '../api/errors.ts';
import { parseShardSelector, type ShardSelector, ShardSelectorError } from '../expressions/shard-selector.ts';
import type { Selectable, Selection } from '../watchcache/types.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { RequestSelection } from './selection.ts';
import { uidOf } from './stored-uid.ts';

/**
 * The shard that a request asks for; undefined for all objects.
 * @throws ApiError 500, as kube-apiserver answers, for an invalid selector
 */
export function requestedShard(registry: Registry, { query }: ResourceRequest): ShardSelector | undefined {
  const text = query.text('shardSelector');
  if (text === '' || !registry.gateEnabled('ShardedListAndWatch')) return undefined;
  try {
    return parseShardSelector(text);
  } catch (error) {
    if (!(error instanceof ShardSelectorError)) throw error;
    throw errors.unexplained(`invalid shard selector: ${error.message}`);
  }
}

/** A selection narrowed to a shard. */
export function ofShard(selection: RequestSelection, shard: ShardSelector | undefined): RequestSelection {
  if (shard === undefined) return selection;
  const { candidates } = selection;
  return { ...narrowed(selection, shard), ...(candidates && { candidates: narrowed(candidates, shard) }) };
}

function narrowed(selection: Selection, shard: ShardSelector): Selection {
  const { matches, cost = 0 } = selection;
  return {
    ...selection,
    cost: cost + shard.size,
    matches: (object) => shard.matches(keyOf(object, shard)) && (matches === undefined || matches(object)),
  };
}

function keyOf({ namespace, bytes }: Selectable, { key }: ShardSelector): string {
  if (key === 'namespace') return namespace;
  return bytes === undefined ? '' : uidOf({ bytes });
}
