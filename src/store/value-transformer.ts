// Transformers of stored values: what stands between the plain bytes of an object and the bytes that a store keeps, so
// that encryption at rest is the same for every driver. Drivers that change the encoding of objects transform last when
// they write and first when they read.

import { Buffer } from 'node:buffer';
import type { Soon } from '../base/soon.ts';

/** Facts about the value that ciphers bind it to. */
export interface TransformContext {
  /**
   * The full key under which the value is stored, the store's own prefix included: `/registry/secrets/default/one`.
   * It is authenticated with the value, so that bytes can not be moved to another key.
   */
  readonly key: string;
}

export interface PlainValue {
  readonly plain: Uint8Array;
  /** Whether a write would store other bytes: the value was read with a key or a provider that is not the first. */
  readonly stale: boolean;
}

/** Transforms the values of one resource. Ciphers with local keys answer at once; a KMS plugin may have to be asked. */
export interface ValueTransformer {
  /** Whether it may answer later when it reads; not there for those that never do. */
  readonly readsLater?: boolean;
  /** Throws or rejects with TransformError. */
  transformToStorage(plain: Uint8Array, context: TransformContext): Soon<Uint8Array>;
  /** Throws or rejects with TransformError. */
  transformFromStorage(stored: Uint8Array, context: TransformContext): Soon<PlainValue>;
}

/** The transformers of a store. They may be replaced while the server runs: ask for each value. */
export interface ValueTransformers {
  /** The transformer of the resource to which a key belongs; undefined for values that are stored as they are. */
  of(key: string): ValueTransformer | undefined;
}

/** A value that can't be transformed. The message is kube-apiserver's and never contains key material. */
export class TransformError extends Error {
  override name = 'TransformError';
}

const ENCRYPTED = Buffer.from('k8s:enc:');

/** @throws TransformError for bytes that a cipher has made, where nothing is configured that reads them */
export function assertInClear(stored: Uint8Array): void {
  if (stored.length < ENCRYPTED.length || !ENCRYPTED.equals(stored.subarray(0, ENCRYPTED.length))) return;
  throw new TransformError('identity transformer tried to read encrypted data');
}
