// The messages of etcd's API that the driver uses, as protobuf. Field numbers are those of etcd's service definition;
// unneeded fields are skipped.

import { Buffer } from 'node:buffer';
import { DELIMITED, ProtobufReader, VARINT } from '../../api/protobuf-reader.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { bufferOf } from '../buffer-of.ts';

/** A key-value pair in etcd. The value is a view of the response. */
export interface KeyValue {
  readonly key: string;
  readonly modRevision: number;
  /** The number of writes since the key was created. */
  readonly version: number;
  readonly value: Buffer;
}

export interface RangeRequest {
  readonly key: string;
  /** The exclusive end of the range, in bytes; a single key if absent. */
  readonly end?: Uint8Array | undefined;
  readonly limit?: number | undefined;
  readonly revision?: number | undefined;
  readonly keysOnly?: boolean | undefined;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  readonly revision: number;
  readonly entries: readonly KeyValue[];
  readonly more: boolean;
  /** Total number of keys in the range, regardless of the limit. */
  readonly count: number;
}

/** A conditional write of one key, which depends on its revision or version. */
interface WriteRequest {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value: Uint8Array | undefined;
  /** 0 for an absent key; undefined for any. */
  readonly modRevision?: number | undefined;
  readonly version?: number | undefined;
  readonly lease?: bigint | undefined;
}

export interface WriteResponse {
  readonly succeeded: boolean;
  readonly revision: number;
  /** The current value, if the write failed. */
  readonly current: KeyValue | undefined;
  /** Keys removed by a deletion. */
  readonly deleted: number;
}

export interface WatchResponse {
  readonly revision: number;
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** For a rejected watch: the compacted revision, after which it would have to begin. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** More fragments of the response follow. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

/** One event. `value` is undefined for a deletion. */
export interface WatchEvent {
  readonly key: string;
  readonly modRevision: number;
  readonly value: Buffer | undefined;
}

const varintTag = (field: number): number => (field << 3) | VARINT;
const delimitedTag = (field: number): number => (field << 3) | DELIMITED;

const COMPARE_VERSION = 0;
const COMPARE_MOD = 2;
const DELETE_EVENT = 1;

/** Writes fields in the order of their numbers: the writer works backwards, so they are passed in reverse. */
class Fields {
  readonly out = new ProtobufWriter();

  int(field: number, value: number | bigint | undefined): void {
    if (value === undefined || value === 0 || value === 0n) return;
    this.out.int(value);
    this.out.uint(varintTag(field));
  }

  bool(field: number, value: boolean | undefined): void {
    if (value === true) this.int(field, 1);
  }

  bytes(field: number, value: Uint8Array | undefined): void {
    if (value === undefined) return;
    this.out.raw(value);
    this.out.uint(value.length);
    this.out.uint(delimitedTag(field));
  }

  text(field: number, value: string): void {
    this.out.text(value);
    this.out.uint(delimitedTag(field));
  }

  message(field: number, write: () => void): void {
    const before = this.out.size;
    write();
    this.out.uint(this.out.size - before);
    this.out.uint(delimitedTag(field));
  }

  get bytesWritten(): Buffer {
    const bytes = this.out.bytes();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

export function encodeRange(request: RangeRequest): Buffer {
  const fields = new Fields();
  writeRange(fields, request);
  return fields.bytesWritten;
}

function writeRange(fields: Fields, { key, end, limit, revision, keysOnly, countOnly }: RangeRequest): void {
  fields.bool(9, countOnly);
  fields.bool(8, keysOnly);
  fields.int(4, revision);
  fields.int(3, limit);
  fields.bytes(2, end);
  fields.text(1, key);
}

/** A transaction: the write if the comparison holds, otherwise a read. */
export function encodeWrite(request: WriteRequest): Buffer {
  const { key, value, lease, modRevision, version } = request;
  const fields = new Fields();
  fields.message(3, () => fields.message(1, () => writeRange(fields, { key })));
  fields.message(2, () => {
    if (value === undefined) return fields.message(3, () => fields.text(1, key));
    fields.message(2, () => {
      fields.int(3, lease);
      fields.bytes(2, value);
      fields.text(1, key);
    });
  });
  if (modRevision !== undefined) writeCompare(fields, { key, target: COMPARE_MOD, field: 6, value: modRevision });
  else if (version !== undefined) writeCompare(fields, { key, target: COMPARE_VERSION, field: 4, value: version });
  return fields.bytesWritten;
}

/** Compares a number of the key with `value`, which is written even if it is 0, because it is part of a oneof. */
function writeCompare(fields: Fields, compare: { key: string; target: number; field: number; value: number }): void {
  fields.message(1, () => {
    fields.out.int(compare.value);
    fields.out.uint(varintTag(compare.field));
    fields.text(3, compare.key);
    fields.int(2, compare.target);
  });
}

export function encodeCompaction(revision: number): Buffer {
  const fields = new Fields();
  fields.int(1, revision);
  return fields.bytesWritten;
}

export function encodeWatchCreation(request: { key: string; end: Uint8Array; startRevision: number }): Buffer {
  const fields = new Fields();
  fields.message(1, () => {
    fields.bool(8, true);
    fields.int(3, request.startRevision);
    fields.bytes(2, request.end);
    fields.text(1, request.key);
  });
  return fields.bytesWritten;
}

export function encodeWatchProgress(): Buffer {
  const fields = new Fields();
  fields.message(3, () => {});
  return fields.bytesWritten;
}

export function encodeLeaseGrant(ttlSeconds: number): Buffer {
  const fields = new Fields();
  fields.int(1, ttlSeconds);
  return fields.bytesWritten;
}

/** Calls back for each field, which reads its value or returns that it has not. */
function eachField(reader: ProtobufReader, read: (field: number) => boolean): void {
  while (!reader.done) {
    const tag = reader.tag();
    if (!read(tag >>> 3)) reader.skip(tag);
  }
}

function within<T>(reader: ProtobufReader, read: () => T): T {
  const outer = reader.enter();
  const value = read();
  reader.leave(outer);
  return value;
}

/** The revision in a response header. */
function readHeader(reader: ProtobufReader): number {
  let revision = 0;
  within(reader, () =>
    eachField(reader, (field) => {
      if (field !== 3) return false;
      revision = Number(reader.int64());
      return true;
    }),
  );
  return revision;
}

function readKeyValue(reader: ProtobufReader): KeyValue {
  let key = '';
  let modRevision = 0;
  let version = 0;
  let value = Buffer.alloc(0) as Buffer;
  within(reader, () =>
    eachField(reader, (field) => {
      if (field === 1) key = bufferOf(reader.raw()).toString('utf8');
      else if (field === 3) modRevision = Number(reader.int64());
      else if (field === 4) version = Number(reader.int64());
      else if (field === 5) value = bufferOf(reader.raw());
      else return false;
      return true;
    }),
  );
  return { key, modRevision, version, value };
}

export function decodeRange(bytes: Uint8Array): RangeResponse {
  return readRange(new ProtobufReader(bytes));
}

function readRange(reader: ProtobufReader): RangeResponse {
  const entries: KeyValue[] = [];
  let revision = 0;
  let more = false;
  let count = 0;
  eachField(reader, (field) => {
    if (field === 1) revision = readHeader(reader);
    else if (field === 2) entries.push(readKeyValue(reader));
    else if (field === 3) more = reader.bool();
    else if (field === 4) count = Number(reader.int64());
    else return false;
    return true;
  });
  return { revision, entries, more, count };
}

export function decodeWrite(bytes: Uint8Array): WriteResponse {
  const reader = new ProtobufReader(bytes);
  let succeeded = false;
  let revision = 0;
  let current: KeyValue | undefined;
  let deleted = 0;
  const readOperation = (field: number): boolean => {
    if (field === 1) current = within(reader, () => readRange(reader)).entries[0];
    else if (field === 3) deleted = within(reader, () => readDeleted(reader));
    else return false;
    return true;
  };
  eachField(reader, (field) => {
    if (field === 1) revision = readHeader(reader);
    else if (field === 2) succeeded = reader.bool();
    else if (field === 3) within(reader, () => eachField(reader, readOperation));
    else return false;
    return true;
  });
  return { succeeded, revision, current, deleted };
}

function readDeleted(reader: ProtobufReader): number {
  let deleted = 0;
  eachField(reader, (field) => {
    if (field !== 2) return false;
    deleted = Number(reader.int64());
    return true;
  });
  return deleted;
}

export function decodeWatch(bytes: Uint8Array): WatchResponse {
  const reader = new ProtobufReader(bytes);
  const events: WatchEvent[] = [];
  const found = { revision: 0, watchId: 0, compactRevision: 0, cancelReason: '' };
  const flags = { created: false, canceled: false, fragment: false };
  eachField(reader, (field) => {
    if (field === 1) found.revision = readHeader(reader);
    else if (field === 2) found.watchId = Number(reader.int64());
    else if (field === 3) flags.created = reader.bool();
    else if (field === 4) flags.canceled = reader.bool();
    else if (field === 5) found.compactRevision = Number(reader.int64());
    else if (field === 6) found.cancelReason = reader.text();
    else if (field === 7) flags.fragment = reader.bool();
    else if (field === 11) events.push(readEvent(reader));
    else return false;
    return true;
  });
  return { ...found, ...flags, events };
}

function readEvent(reader: ProtobufReader): WatchEvent {
  let type = 0;
  let entry: KeyValue | undefined;
  within(reader, () =>
    eachField(reader, (field) => {
      if (field === 1) type = reader.int32();
      else if (field === 2) entry = readKeyValue(reader);
      else return false;
      return true;
    }),
  );
  const { key = '', modRevision = 0, value } = entry ?? {};
  return { key, modRevision, value: type === DELETE_EVENT ? undefined : value };
}

/** The granted lease. */
export function decodeLeaseGrant(bytes: Uint8Array): bigint {
  const reader = new ProtobufReader(bytes);
  let id = 0n;
  eachField(reader, (field) => {
    if (field !== 2) return false;
    id = BigInt(reader.int64());
    return true;
  });
  return id;
}

/** The status of a member. */
interface MemberStatus {
  readonly version: string;
  readonly dbBytes: number;
}

export function decodeStatus(bytes: Uint8Array): MemberStatus {
  const reader = new ProtobufReader(bytes);
  let version = '';
  let dbBytes = 0;
  eachField(reader, (field) => {
    if (field === 2) version = reader.text();
    else if (field === 3) dbBytes = Number(reader.int64());
    else return false;
    return true;
  });
  return { version, dbBytes };
}

/**
 * The exclusive end of the range of all keys with a prefix; for an empty prefix a single zero byte, which means no end.
 */
export function prefixEnd(prefix: string): Uint8Array {
  const end = Buffer.from(prefix, 'utf8');
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] as number;
    if (byte === 0xff) continue;
    end[at] = byte + 1;
    return end.subarray(0, at + 1);
  }
  return Uint8Array.of(0);
}
