// Files for the way to etcd that can't be used: told at once, by their names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing.ts';

const start = (etcdCaFile: string) => startTestServer({ etcdServers: ['https://127.0.0.1:1'], etcdCaFile });

test('a certificate authority that is not there, or is none, ends the start', async () => {
  const files = 'the files of --etcd-cafile, --etcd-certfile or --etcd-keyfile: ';
  await assert.rejects(start('/no/ca.crt'), { message: `${files}open /no/ca.crt: no such file or directory` });
  const none = import.meta.filename;
  await assert.rejects(start(none), { message: `${files}${none} holds no certificate and no private key` });
});
