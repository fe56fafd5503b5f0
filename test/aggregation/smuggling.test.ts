// Request smuggling: a client hides a second request in the body of one that is forwarded to an aggregated API server. That
// server would believe the user that the hidden request names, and connections to it are shared.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { startTestServer } from '../../src/testing.ts';
import { answerJson, register, startOtherApiServer, untilSays } from '../api-server.ts';

const HIDDEN = 'GET /apis/x.io/v1/hidden HTTP/1.1\r\nHost: other\r\nX-Remote-User: admin\r\n\r\n';

for (const method of ['GET', 'DELETE', 'OPTIONS', 'POST', 'PATCH']) {
  for (const named of ['content-length', 'transfer-encoding', 'content-length, transfer-encoding', 'close']) {
    test(`a ${method} request to an aggregated server keeps its body if Connection names ${named}`, async () => {
      await using other = await startOtherApiServer((_, response, request) => {
        request.resume().once('end', () => answerJson(response, {}));
      });
      await using server = await startTestServer({ listen: true });
      await register(server, other);
      await untilSays(server, 'Passed');
      const isChunked = named.startsWith('transfer');
      const head = [
        `${method} /apis/x.io/v1/things/one HTTP/1.1`,
        ...['Host: here', `Authorization: Bearer ${server.token}`, `Connection: ${named}`],
        isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${HIDDEN.length}`,
      ];
      const body = isChunked ? `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n` : HIDDEN;
      const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', rejectUnauthorized: false });
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      await once(socket, 'data');
      socket.destroy();
      await server.request('GET', '/apis/x.io/v1/things/two');
      const paths = other.asked.map(({ url }) => url);
      assert.ok(paths.includes('/apis/x.io/v1/things/one') && paths.includes('/apis/x.io/v1/things/two'), paths.join());
      assert.ok(!paths.includes('/apis/x.io/v1/hidden'), paths.join());
    });
  }
}
