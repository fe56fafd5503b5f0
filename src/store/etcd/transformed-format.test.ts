import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ValueTransformer } from '../value-transformer.ts';
import { transformedFormat } from './transformed-format.ts';
import type { ValueFormat } from './value-format.ts';

/** Upper case in etcd, as an encoding; keys under another prefix. */
const plain: ValueFormat = {
  keyInEtcd: (key) => `/etcd${key}`,
  keyOf: (etcdKey) => etcdKey.slice(5),
  prefixInEtcd: (prefix) => `/etcd${prefix}`,
  write: (_key, value) => Buffer.from(value.toString().toUpperCase()),
  read: (_key, stored) => Buffer.from(stored.toString().toLowerCase()),
  ttlSeconds: () => undefined,
};

/** Puts a mark and the key before a value. */
const marked = (mark: string): ValueTransformer => ({
  transformToStorage: (value, { key }) => Buffer.from(`${mark}:${key}:${Buffer.from(value)}`),
  transformFromStorage: (stored, { key }) => {
    const text = Buffer.from(stored).toString();
    return { plain: Buffer.from(text.slice(2 + key.length + 1)), stale: !text.startsWith(`${mark}:`) };
  },
});

it('encryption at rest transforms the bytes that go to etcd, bound to their key there', async () => {
  const format = transformedFormat(plain, { of: (key) => (key === '/clear' ? undefined : marked('a')) });
  const stored = Buffer.from(await format.write('/one', Buffer.from('value')));
  assert.equal(stored.toString(), 'a:/etcd/one:VALUE');
  assert.equal(format.read('/one', stored).toString(), 'value');
  assert.equal(Buffer.from(await format.write('/clear', Buffer.from('value'))).toString(), 'VALUE');
  assert.equal(format.read('/clear', Buffer.from('VALUE')).toString(), 'value');
});

it('encryption at rest in etcd waits for asynchronous transformers', async () => {
  const later: ValueTransformer = {
    readsLater: true,
    transformToStorage: async (value, context) => marked('a').transformToStorage(value, context),
    transformFromStorage: async (value, context) => marked('b').transformFromStorage(value, context),
  };
  const format = transformedFormat(plain, { of: (key) => (key === '/clear' ? marked('a') : later) });
  assert.deepEqual([format.readsLater?.('/one'), format.readsLater?.('/clear')], [true, false]);
  const stored = Buffer.from(await format.write('/one', Buffer.from('value')));
  assert.equal(stored.toString(), 'a:/etcd/one:VALUE');
  assert.equal((await format.read('/one', stored)).toString(), 'value');
  assert.equal(await format.isStale?.('/one', stored), true);
});

it('encryption at rest in etcd reports values that another key would encrypt as stale', () => {
  const stored = Buffer.from('a:/etcd/one:VALUE');
  assert.equal(transformedFormat(plain, { of: () => marked('a') }).isStale?.('/one', stored), false);
  assert.equal(transformedFormat(plain, { of: () => marked('b') }).isStale?.('/one', stored), true);
  assert.equal(transformedFormat(plain, { of: () => undefined }).isStale?.('/one', stored), false);
});
