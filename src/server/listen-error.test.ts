import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertCanListen } from './listen-error.ts';
import { serverOptions } from './options.ts';
import { startServer } from './server.ts';

test('a port in use and an unavailable address are reported with the flag to change', async () => {
  const memory = { store: 'memory', controllers: '' } as const;
  await using server = await startServer({ ...memory, securePort: 0 });
  const securePort = Number(new URL(server.url).port);
  await assert.rejects(startServer({ ...memory, securePort }), {
    name: 'InvalidOptionsError',
    message: `cannot listen on 127.0.0.1:${securePort}: another program uses that port; set securePort to another one, or to 0 for any free one`,
  });
  await assert.rejects(startServer({ ...memory, securePort: 0, bindAddress: '192.0.2.1' }), /see bindAddress/);
});

test('a port that servers share by SO_REUSEPORT is available to each of them', async () => {
  const shared = { store: 'memory', controllers: '', permitPortSharing: true } as const;
  await using server = await startServer({ ...shared, securePort: 0 });
  const securePort = Number(new URL(server.url).port);
  await assertCanListen(serverOptions({ ...shared, securePort }));
  await assert.rejects(assertCanListen(serverOptions({ ...shared, securePort, permitPortSharing: false })));
});

test('a data folder in use by another server is reported', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keelson-in-use-'));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  await using _ = await startServer({ dataDir, securePort: 0, controllers: '' });
  await assert.rejects(startServer({ dataDir, securePort: 0 }), (error: Error) => {
    assert.ok(error.message.includes(dataDir), error.message);
    assert.match(error.message, /in use|another|open/);
    return true;
  });
});
