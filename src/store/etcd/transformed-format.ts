// A format of values whose bytes are transformed last when they are written and first when they are read: encryption
// at rest in etcd, in the form in which kube-apiserver keeps and reads it.

import { TransformError, type ValueTransformers } from '../value-transformer.ts';
import type { ValueFormat } from './value-format.ts';

/** Transformers must answer at once: values are read when somebody looks. */
export function transformedFormat(format: ValueFormat, transformers: ValueTransformers): ValueFormat {
  return {
    keyInEtcd: (key) => format.keyInEtcd(key),
    keyOf: (etcdKey) => format.keyOf(etcdKey),
    prefixInEtcd: (prefix) => format.prefixInEtcd(prefix),
    ttlSeconds: (key) => format.ttlSeconds(key),
    isStale(key, stored) {
      const transformer = transformers.of(key);
      if (transformer === undefined) return false;
      return atOnce(transformer.transformFromStorage(stored, { key: format.keyInEtcd(key) })).stale;
    },
    write(key, value) {
      const plain = format.write(key, value);
      const transformer = transformers.of(key);
      return transformer === undefined
        ? plain
        : atOnce(transformer.transformToStorage(plain, { key: format.keyInEtcd(key) }));
    },
    read(key, stored) {
      const transformer = transformers.of(key);
      if (transformer === undefined) return format.read(key, stored);
      const { plain } = atOnce(transformer.transformFromStorage(stored, { key: format.keyInEtcd(key) }));
      return format.read(key, Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength));
    },
  };
}

function atOnce<T>(result: T | Promise<T>): T {
  if (result instanceof Promise) throw new TransformError('this provider can not be used with etcd');
  return result;
}
