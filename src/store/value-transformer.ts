// Transformers of stored values: conversion between the plain bytes of an object and the stored bytes, so that
// encryption at rest is the same for every driver. Drivers that change the encoding of objects transform last when
// writing and first when reading.

import { Buffer } from 'node:buffer';
import type { Soon } from '../base/soon.ts';

/** Facts about the value that ciphers authenticate with it. */
export interface TransformContext {
  /**
   * The full key of the value, including the store's prefix: `/registry/secrets/default/one`. It is authenticated with
   * the value, so that bytes cannot be moved to another key.
   */
  readonly key: string;
  /** Of a read: the revision of the write. */
  readonly revision?: number;
}

export interface PlainValue {
  readonly plain: Uint8Array;
  /** Whether a write would store other bytes: the value was read with a key or a provider that is not the first. */
  readonly stale: boolean;
}

/**
 * Transforms the values of one resource. Ciphers with local keys are synchronous; a KMS plugin may have to be called.
 */
export interface ValueTransformer {
  /** Whether reads may be asynchronous; absent if never. */
  readonly readsLater?: boolean;
  /** Throws or rejects with TransformError. */
  transformToStorage(plain: Uint8Array, context: TransformContext): Soon<Uint8Array>;
  /** Throws or rejects with TransformError. */
  transformFromStorage(stored: Uint8Array, context: TransformContext): Soon<PlainValue>;
}

/** The transformers of a store. They may be replaced while the server runs: look them up for each value. */
export interface ValueTransformers {
  /** The transformer of a key's resource; undefined for values that are stored unencrypted. */
  of(key: string): ValueTransformer | undefined;
}

/** A value that cannot be transformed. The message is kube-apiserver's and never contains key material. */
export class TransformError extends Error {
  override name = 'TransformError';
}

const ENCRYPTED = Buffer.from('k8s:enc:');

/** @throws TransformError for encrypted bytes if no configured transformer can read them */
export function assertInClear(stored: Uint8Array): void {
  if (stored.length < ENCRYPTED.length || !ENCRYPTED.equals(stored.subarray(0, ENCRYPTED.length))) return;
  throw new TransformError('identity transformer tried to read encrypted data');
}
