import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { SeededRandom } from '../../base/seeded-random.ts';
import { startTestServer } from '../../testing.ts';

/** Draws what it is given, again and again. */
class FixedRandom extends SeededRandom {
  readonly #drawn: number;

  constructor(drawn: number) {
    super(1);
    this.#drawn = drawn;
  }

  override below(below: number): number {
    return Math.min(this.#drawn, below - 1);
  }
}

for (const { drawn, says } of [
  { drawn: 19_999, says: 'is told to connect anew, and answered' },
  { drawn: 20_000, says: 'stays connected' },
]) {
  test(`with --goaway-chance=0.02, a client whose request draws ${drawn} of a million ${says}`, async (context) => {
    const random = new FixedRandom(drawn);
    const server = await startTestServer({ listen: true, goawayChance: 0.02 }, { random });
    context.after(() => server.close());
    const client = connect(server.url, { rejectUnauthorized: false });
    let retired = false;
    client.on('goaway', () => {
      retired = true;
    });
    const request = client.request({ ':path': '/livez', authorization: `Bearer ${server.token}` });
    const [head] = await once(request, 'response');
    request.resume();
    await once(request, 'end');
    assert.equal(head[':status'], 200);
    if (drawn < 20_000) {
      await once(client, 'close');
      assert.equal(retired, true);
    } else {
      const again = client.request({ ':path': '/livez', authorization: `Bearer ${server.token}` });
      assert.equal((await once(again, 'response'))[0][':status'], 200);
      assert.equal(retired, false);
      client.close();
    }
  });
}

test('an anonymous client gets GOAWAY with the gate UnauthenticatedHTTP2DOSMitigation', async (context) => {
  for (const stays of [false, true]) {
    const featureGates = { UnauthenticatedHTTP2DOSMitigation: !stays };
    const server = await startTestServer({ listen: true, featureGates });
    context.after(() => server.close());
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const client = connect(server.url, { rejectUnauthorized: false });
      let retired = false;
      client.on('goaway', () => {
        retired = true;
      });
      const request = client.request({ ':path': '/livez', ...headers });
      const [head] = await once(request, 'response');
      request.resume();
      await once(request, 'end');
      assert.equal(head[':status'], 'authorization' in headers ? 401 : 200);
      if (stays) client.close();
      else await once(client, 'close');
      assert.equal(retired, !stays);
    }
  }
});
