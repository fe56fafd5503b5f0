// Copies between stores, of which neither is etcd.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { startTestServer } from '../testing.ts';
import { copyObjects } from './copy-objects.ts';
import { defaultServerOptions } from './options.ts';
import { backUpStore, restoreStore } from './store-care.ts';

const OBJECT = '/api/v1/namespaces/default/configmaps/kept';

test('a store whose revisions were raised by a restoration is copied as fast as any other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-copy-'));
  try {
    const [first, restored, copied] = ['first', 'restored', 'copied'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const serve = (dataDir: string) => startTestServer({ controllers: '', store: 'embedded', dataDir });
    let made: ApiObject;
    {
      await using server = await serve(first);
      made = (await server.request('POST', OBJECT.replace('/kept', ''), { metadata: { name: 'kept' } }))
        .body as ApiObject;
    }
    backUpStore(first, join(folder, 'backup'));
    const { revision } = restoreStore(restored, join(folder, 'backup'));
    const end = (dataDir: string) => ({ etcdServers: [], dataDir });
    await copyObjects({
      from: end(restored),
      to: end(copied),
      options: defaultServerOptions,
      onProgress: ({ step, all }) => assert.ok(step === 'objects', `${all} revisions are raised one by one`),
    });
    await using server = await serve(copied);
    const { metadata } = (await server.request('GET', OBJECT)).body as ApiObject;
    assert.equal(metadata.uid, made.metadata.uid);
    assert.ok(Number(metadata.resourceVersion) > revision);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
