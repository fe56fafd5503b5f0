// Certificate files for etcd that cannot be used: the error at startup names them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing.ts';

const start = (etcdCaFile: string) => startTestServer({ etcdServers: ['https://127.0.0.1:1'], etcdCaFile });

test('the start fails if the CA file of etcd is missing or contains no certificate', async () => {
  const files = 'the files of --etcd-cafile, --etcd-certfile or --etcd-keyfile: ';
  await assert.rejects(start('/no/ca.crt'), { message: `${files}open /no/ca.crt: no such file or directory` });
  const none = import.meta.filename;
  await assert.rejects(start(none), {
    message: `${files}${none}: data does not contain any valid RSA or ECDSA certificates`,
  });
});
