// A value format whose bytes are transformed last when writing and first when reading: encryption at rest in etcd, in
// kube-apiserver's form.

import { type Soon, whenThere } from '../../base/soon.ts';
import type { PlainValue, ValueTransformers } from '../value-transformer.ts';
import type { ValueFormat } from './value-format.ts';

export function transformedFormat(format: ValueFormat, transformers: ValueTransformers): ValueFormat {
  const readBack = (key: string, { plain }: PlainValue): Soon<Buffer> =>
    format.read(key, Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength));
  return {
    keyInEtcd: (key) => format.keyInEtcd(key),
    keyOf: (etcdKey) => format.keyOf(etcdKey),
    prefixInEtcd: (prefix) => format.prefixInEtcd(prefix),
    ttlSeconds: (key) => format.ttlSeconds(key),
    readsLater: (key) => transformers.of(key)?.readsLater === true,
    isStale(key, stored) {
      const transformer = transformers.of(key);
      if (transformer === undefined) return false;
      const read = transformer.transformFromStorage(stored, { key: format.keyInEtcd(key) });
      return whenThere(read, ({ stale }) => stale);
    },
    write(key, value) {
      const transformer = transformers.of(key);
      const plain = format.write(key, value);
      if (transformer === undefined) return plain;
      return whenThere(plain, (bytes) => transformer.transformToStorage(bytes, { key: format.keyInEtcd(key) }));
    },
    read(key, stored) {
      const transformer = transformers.of(key);
      if (transformer === undefined) return format.read(key, stored);
      const read = transformer.transformFromStorage(stored, { key: format.keyInEtcd(key) });
      return whenThere(read, (plain) => readBack(key, plain));
    },
  };
}
