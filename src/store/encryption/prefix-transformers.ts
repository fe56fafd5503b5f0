// Transformers in configured order: the first one writes, with its prefix; a value is read by those with its prefix, in
// turn, until one succeeds. Used for the providers of a resource, and for the keys of a provider.

import { errorList } from '../../base/error-list.ts';
import { messageOf } from '../../base/error-message.ts';
import { isLater, type Soon, whenThere } from '../../base/soon.ts';
import {
  assertInClear,
  type PlainValue,
  type TransformContext,
  TransformError,
  type ValueTransformer,
} from '../value-transformer.ts';

/** Notified of every transformation, for metrics. */
export interface TransformationObserver {
  /** Seconds of a monotonic clock. */
  readonly now: () => number;
  readonly record: (transformation: {
    readonly direction: 'from_storage' | 'to_storage';
    readonly prefix: string;
    readonly seconds: number;
    readonly error: TransformError | undefined;
  }) => void;
}

export interface PrefixedTransformer {
  /** '' for values that are stored unencrypted. */
  readonly prefix: string;
  readonly transformer: ValueTransformer;
}

interface Attempt {
  readonly stored: Uint8Array;
  readonly context: TransformContext;
  readonly errors: TransformError[];
}

export class PrefixTransformers implements ValueTransformer {
  readonly readsLater: boolean;
  readonly #transformers: readonly (PrefixedTransformer & { readonly bytes: Buffer })[];
  readonly #noMatch: string;
  readonly #observer: TransformationObserver;

  /** @param noMatch the error if no transformer has the prefix of a value */
  constructor(transformers: readonly PrefixedTransformer[], noMatch: string, observer: TransformationObserver) {
    this.#transformers = transformers.map((each) => ({ ...each, bytes: Buffer.from(each.prefix) }));
    this.readsLater = transformers.some(({ transformer }) => transformer.readsLater === true);
    this.#noMatch = noMatch;
    this.#observer = observer;
  }

  transformToStorage(plain: Uint8Array, context: TransformContext): Soon<Uint8Array> {
    const { prefix, bytes, transformer } = this.#transformers[0]!;
    const record = this.#recorder('to_storage', prefix);
    const fail = (error: unknown): never => {
      throw record(error);
    };
    const succeed = (stored: Uint8Array): Uint8Array => {
      record(undefined);
      return withPrefix(bytes, stored);
    };
    try {
      return whenThere(transformer.transformToStorage(plain, context), succeed, fail);
    } catch (error) {
      return fail(error);
    }
  }

  transformFromStorage(stored: Uint8Array, context: TransformContext): Soon<PlainValue> {
    return this.#read({ stored, context, errors: [] }, 0);
  }

  /** Tries the transformers from index `first` on. */
  #read(attempt: Attempt, first: number): Soon<PlainValue> {
    for (let index = first; index < this.#transformers.length; index++) {
      const { prefix, bytes, transformer } = this.#transformers[index]!;
      if (!startsWith(attempt.stored, bytes)) continue;
      const record = this.#recorder('from_storage', prefix === '' ? 'identity' : prefix);
      const fail = (error: unknown): void => {
        // Reading a value that is not encrypted is not an error of the other transformers.
        if (prefix !== '') attempt.errors.push(record(error)!);
      };
      const succeed = ({ plain, stale }: PlainValue): PlainValue => {
        record(undefined);
        return { plain, stale: stale || index > 0 };
      };
      try {
        const value = transformer.transformFromStorage(attempt.stored.subarray(bytes.length), attempt.context);
        if (!isLater(value)) return succeed(value);
        return value.then(succeed, (error: unknown) => {
          fail(error);
          return this.#read(attempt, index + 1);
        });
      } catch (error) {
        fail(error);
      }
    }
    if (attempt.errors.length > 0) throw new TransformError(errorList(attempt.errors.map(({ message }) => message)));
    throw this.#recorder('from_storage', 'unknown')(new TransformError(this.#noMatch))!;
  }

  #recorder(direction: 'from_storage' | 'to_storage', prefix: string) {
    const start = this.#observer.now();
    return (thrown: unknown): TransformError | undefined => {
      const error = thrown === undefined || thrown instanceof TransformError ? thrown : asTransformError(thrown);
      this.#observer.record({ direction, prefix, seconds: this.#observer.now() - start, error });
      return error;
    };
  }
}

/** Stores values unencrypted, and rejects encrypted ones. */
export const identityTransformer: ValueTransformer = {
  transformToStorage: (plain) => plain,
  transformFromStorage: (stored) => {
    assertInClear(stored);
    return { plain: stored, stale: false };
  },
};

function asTransformError(thrown: unknown): TransformError {
  return new TransformError(messageOf(thrown));
}

function startsWith(bytes: Uint8Array, prefix: Buffer): boolean {
  return bytes.length >= prefix.length && prefix.equals(bytes.subarray(0, prefix.length));
}

function withPrefix(prefix: Buffer, bytes: Uint8Array): Uint8Array {
  if (prefix.length === 0) return bytes;
  const whole = Buffer.allocUnsafeSlow(prefix.length + bytes.length);
  whole.set(prefix);
  whole.set(bytes, prefix.length);
  return whole;
}
