import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import type { TokenAuthenticator } from '../../auth/authn/authenticator.ts';
import { ManualClock } from '../../base/clock.ts';
import type { Log, LogFields } from '../../base/log.ts';
import { startServer } from '../../server/server.ts';
import { MemoryStore } from '../../store/memory-store.ts';

interface Entry {
  readonly level: number;
  readonly message: string;
  readonly fields: LogFields;
}

test('a slow request is logged with a breakdown of its time', async () => {
  const clock = new ManualClock();
  const entries: Entry[] = [];
  const log: Log = {
    ...{ error() {}, warn() {}, info() {} },
    debug({ level }, message, fields = {}) {
      entries.push({ level, message, fields: typeof fields === 'function' ? fields() : fields });
    },
  };
  const store = new MemoryStore({ clock });
  const put = store.put.bind(store);
  const tokens: TokenAuthenticator[] = [
    { permanent: true, authenticateToken: () => ({ name: 'admin', groups: ['system:masters'], uid: '', extra: {} }) },
  ];
  const environment = { clock, log, tokens, store: Promise.resolve(store), listens: false, ephemeral: true };
  await using server = await startServer({ store: 'memory' }, environment);
  const maps = '/api/v1/namespaces/default/configmaps';
  const create = async (name: string) => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
    const body = JSON.stringify({ metadata: { name } });
    return await server.fetch(new Request(`https://localhost${maps}`, { method: 'POST', headers, body }));
  };
  assert.equal((await create('quick')).status, 201);
  assert.deepEqual(
    entries.filter(({ message }) => message === 'a request was slow'),
    [],
  );
  store.put = async (...write) => {
    clock.advance(500);
    return await put(...write);
  };
  await create('slow');
  const slow = await until('the slow one is told of', () => {
    const found = entries.filter(({ message }) => message === 'a request was slow');
    return found.length > 0 ? found : undefined;
  });
  assert.equal(slow.length, 1);
  const { verb, URI, latency, resp, phases, apf_pl } = slow[0]!.fields;
  assert.deepEqual([slow[0]!.level, verb, URI, latency, resp, apf_pl], [2, 'POST', maps, '500ms', 201, 'exempt']);
  assert.equal((phases as Record<string, number>)['store'], 500);
  const { apf_iseats, apf_fseats, apf_additionalLatency, apf_execution_time } = slow[0]!.fields;
  assert.deepEqual([apf_iseats, apf_fseats, apf_additionalLatency, apf_execution_time], [1, 0, '0s', '500ms']);
  const each = entries.filter(({ message }) => message === 'HTTP');
  assert.ok(each.some(({ level, fields }) => level === 3 && fields['URI'] === maps));
});
