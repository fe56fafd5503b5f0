// What requests over a connection are charged for: from when they could be read, not from when the server came to them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { test } from 'node:test';
import type { TokenAuthenticator } from '../../auth/authn/authenticator.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLog, startServer } from '../../server/server.ts';
import { MemoryStore } from '../../store/memory-store.ts';

const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

test('apiserver_request_duration_seconds includes the time that a request waited for another to be worked on', async () => {
  const clock = new ManualClock(Date.now());
  const tokens: TokenAuthenticator = {
    permanent: false,
    authenticateToken(token) {
      // A long turn, as others see it.
      if (token === 'slow') clock.advance(400);
      return token === 'slow' || token === 'quick' ? administrator : undefined;
    },
  };
  await using server = await startServer(
    { store: 'memory', controllers: '', bindAddress: '127.0.0.1', securePort: 0 },
    { clock, log: silentLog, store: Promise.resolve(new MemoryStore({ clock })), tokens: [tokens], ephemeral: true },
  );
  const session = connect(server.url, { rejectUnauthorized: false });
  await once(session, 'remoteSettings');
  const ask = async (path: string, token: string) => {
    const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
    let text = '';
    for await (const piece of stream.setEncoding('utf8')) text += piece;
    return text;
  };
  await Promise.all([ask('/api/v1/nodes/a', 'slow'), ask('/api/v1/namespaces/a', 'quick')]);
  const text = await ask('/metrics', 'quick');
  const sum = /^apiserver_request_duration_seconds_sum{[^}]*resource="namespaces"[^}]*} (.*)$/m;
  assert.equal(Number(sum.exec(text)?.[1]), 0.4);
  session.close();
});
