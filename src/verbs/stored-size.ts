// The largest size of a stored object. etcd rejects larger requests, and kube-apiserver's etcd client even larger ones
// before they are sent; stores that have no limit of their own get the same one here, so that no sequence of small
// patches makes an object grow for ever.

import type { Buffer } from 'node:buffer';
import { apiVersionOf } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import { writeEnvelope } from '../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { JSON_GROUPS } from '../resources/json-groups.ts';
import { encodeProtobuf } from '../schema/protobuf-encode.ts';
import { messageTooLarge, REQUEST_TOO_LARGE, StoreTooLargeError } from '../store/too-large.ts';

interface StoredValue {
  readonly definition: ResourceDefinition;
  readonly key: string;
  readonly object: ApiObject;
  /** The JSON of the object. */
  readonly bytes: Buffer;
  /** Whether the key does not have an object yet. */
  readonly isNew: boolean;
}

/** The parts of etcd's transaction besides value and keys, and what etcd adds before it checks the size. */
const TRANSACTION_BYTES = 22;
const ETCD_HEADER_BYTES = 19;
/** An update also asks for the current value if it fails. */
const UPDATE_BYTES = 8;

/** @throws StoreTooLargeError with the message of etcd or of kube-apiserver's etcd client */
export function assertFits(value: StoredValue): void {
  const { key, bytes, isNew } = value;
  const keys = key.length * (isNew ? 2 : 3);
  const rest = keys + TRANSACTION_BYTES + (isNew ? 0 : UPDATE_BYTES);
  // Protobuf is shorter than JSON.
  if (bytes.length + rest + ETCD_HEADER_BYTES <= limits.storedObjectBytes) return;
  const size = sizeInEtcd(value) + rest;
  if (size > limits.etcdMessageBytes) throw messageTooLarge(size);
  if (size + ETCD_HEADER_BYTES > limits.storedObjectBytes) throw new StoreTooLargeError(REQUEST_TOO_LARGE);
}

/** Custom resources are JSON in etcd, as are the kinds of a few groups; all others are protobuf. */
function sizeInEtcd({ definition, object, bytes }: StoredValue): number {
  const { codec, storage } = definition;
  if (!codec.hasProtobuf || JSON_GROUPS.includes(storage.group)) return bytes.length + 1;
  const out = new ProtobufWriter();
  const names = { kind: storage.kind, apiVersion: apiVersionOf(storage) };
  writeEnvelope(out, names, () => encodeProtobuf(storage.schema, object, out));
  return out.size;
}
