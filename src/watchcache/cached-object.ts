// A version of an object in the cache: a small record whose strings are shared with the previous version, or with a
// neighbour, if they are equal, because there may be hundreds of thousands of them.

import type { Buffer } from 'node:buffer';
import type { Attributes, CachedObject } from './types.ts';

type StringRecord = Attributes['labels'];

class ObjectVersion implements CachedObject {
  readonly key: string;
  readonly revision: number;
  readonly bytes: Buffer;
  readonly name: string;
  readonly namespace: string;
  readonly labels: StringRecord;
  readonly fields: StringRecord;
  metadataEnd = 0;

  constructor(source: ObjectSource, attributes: Attributes) {
    const { previous } = source;
    const alike = previous ?? source.neighbour;
    this.key = previous?.key ?? source.key;
    this.revision = source.revision;
    this.bytes = source.bytes;
    this.name = previous?.name ?? attributes.name;
    this.namespace = previous?.namespace ?? attributes.namespace;
    this.labels = sharedRecord(alike?.labels, attributes.labels);
    this.fields = sharedRecord(alike?.fields, attributes.fields);
  }
}

interface ObjectSource {
  readonly key: string;
  readonly revision: number;
  readonly bytes: Buffer;
  /** The version that this one supersedes. The key determines name and namespace, so they are taken from it. */
  readonly previous: CachedObject | undefined;
  /** Another object: objects created consecutively often have the same labels and fields. */
  readonly neighbour: CachedObject | undefined;
}

export function cachedObject(source: ObjectSource, attributes: Attributes): CachedObject {
  return new ObjectVersion(source, attributes);
}

/** `known` if it equals `next`: most writes do not change labels. */
function sharedRecord(known: StringRecord, next: StringRecord): StringRecord {
  if (known === undefined || next === undefined) return next;
  const names = Object.keys(next);
  if (names.length !== Object.keys(known).length) return next;
  return names.every((name) => known[name] === next[name]) ? known : next;
}
