import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Expected, WriteResult } from '../store/store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const APPLY = 'application/apply-patch+yaml';
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const OBJECT = `${COLLECTION}/settings`;

interface Answer {
  status: number;
  body: ApiObject & { message?: string };
}

const OBJECT_KEY = '/registry/configmaps/default/settings';

/** A store in which another writer deletes an object just before it is changed. */
class DeletingStore extends MemoryStore {
  deletesNext = '';

  override async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    if (key === this.deletesNext) {
      this.deletesNext = '';
      await this.delete(key, 'any');
    }
    return super.put(key, value, expected);
  }
}

/** Requests for one config map, in a server of its own whose clock stands still. */
class Client {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  async apply(manager: string, data: JsonObject | undefined, query = ''): Promise<Answer> {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data };
    return (await this.server.patch(`${OBJECT}?fieldManager=${manager}${query}`, body, APPLY)) as Answer;
  }

  async patch(manager: string, body: JsonObject): Promise<Answer> {
    return (await this.server.patch(`${OBJECT}?fieldManager=${manager}`, body)) as Answer;
  }

  async put(manager: string, body: ApiObject): Promise<Answer> {
    return this.#send('PUT', `${OBJECT}?fieldManager=${manager}`, body);
  }

  async create(manager: string, body: JsonObject): Promise<Answer> {
    return this.#send('POST', `${COLLECTION}?fieldManager=${manager}`, body);
  }

  async #send(method: string, path: string, body: unknown): Promise<Answer> {
    return (await this.server.request(method, path, body)) as Answer;
  }
}

/** `manager operation fields` of each entry. */
function owners({ body }: Answer): string[] {
  return (body.metadata.managedFields ?? []).map(
    ({ manager, operation, fieldsV1 }) =>
      `${manager} ${operation} ${Object.keys((fieldsV1 as JsonObject)['f:data'] ?? {})}`,
  );
}

async function withClient(check: (client: Client, clock: ManualClock) => Promise<void>): Promise<void> {
  const clock = new ManualClock();
  await using server = await startTestServer({}, { clock });
  await check(new Client(server), clock);
}

describe('the apply verb', () => {
  test('an apply creates a missing object and merges into an existing one', () =>
    withClient(async (client) => {
      const created = await client.apply('one', { a: '1' });
      assert.equal(created.status, 201);
      const merged = await client.apply('other', { b: '1' });
      assert.equal(merged.status, 200);
      assert.deepEqual(merged.body.data, { a: '1', b: '1' });
      assert.deepEqual(owners(merged), ['one Apply f:a', 'other Apply f:b']);
    }));

  test('an apply to an object that is deleted in the meantime creates it again, or conflicts if the configuration has its UID', async () => {
    const store = new DeletingStore({ clock: new ManualClock() });
    await using server = await startTestServer({}, { store: Promise.resolve(store) });
    const client = new Client(server);
    for (const hasUid of [false, true]) {
      const { metadata } = (await client.apply('one', { a: '1' })).body;
      store.deletesNext = OBJECT_KEY;
      const uid = hasUid ? { uid: metadata.uid } : {};
      const body = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', ...uid },
        data: { b: String(hasUid) },
      };
      const answer = (await server.patch(`${OBJECT}?fieldManager=two`, body, APPLY)) as Answer;
      assert.equal(answer.status, hasUid ? 409 : 201);
      if (hasUid) assert.match(answer.body.message ?? '', /uid mismatch: .* no existing object was found/);
      else assert.deepEqual(answer.body.data, { b: 'false' });
    }
  });

  test('an apply of the same configuration again writes nothing, even at a later time', () =>
    withClient(async (client, clock) => {
      const first = await client.apply('one', { a: '1' });
      clock.advance(5_000);
      assert.deepEqual((await client.apply('one', { a: '1' })).body, first.body);
    }));

  test('an apply with dryRun=All returns the object that it would create and stores none', () =>
    withClient(async (client) => {
      assert.equal((await client.apply('one', { a: '1' }, '&dryRun=All')).status, 201);
      assert.equal((await client.server.request('GET', OBJECT)).status, 404);
    }));

  test('an apply of a field that another manager applied is a conflict unless it is forced', () =>
    withClient(async (client) => {
      await client.apply('one', { a: '1' });
      const refused = await client.apply('other', { a: '2' });
      assert.equal(refused.status, 409);
      assert.equal(refused.body.message, 'Apply failed with 1 conflict: conflict with "one": .data.a');
      assert.deepEqual(owners(await client.apply('other', { a: '2' }, '&force=true')), ['other Apply f:a']);
    }));

  test('concurrent applies by several managers all succeed', () =>
    withClient(async (client) => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const answers = await Promise.all(names.map((name) => client.apply(name, { [name]: '1' })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 201]);
      const { body } = await client.apply('a', { a: '1' });
      assert.deepEqual(Object.keys(body.data as JsonObject).sort(), names);
    }));
});

describe('managed fields of writes other than applies', () => {
  test('managed fields of writes other than applies creates and patches own the fields that they set', () =>
    withClient(async (client) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1' } };
      assert.deepEqual(owners(await client.create('creator', body)), ['creator Update .,f:a']);
      const patched = await client.patch('editor', { data: { b: '1' } });
      assert.deepEqual(owners(patched), ['creator Update .,f:a', 'editor Update f:b']);
    }));

  test('a patch that changes nothing keeps the times in managedFields and writes nothing', () =>
    withClient(async (client, clock) => {
      await client.apply('one', { a: '1' });
      const before = await client.patch('editor', { data: { b: '1' } });
      clock.advance(5_000);
      assert.deepEqual((await client.patch('editor', { data: { b: '1' } })).body, before.body);
    }));

  for (const managedFields of [[], [{}]]) {
    test(`an update with managedFields of ${JSON.stringify(managedFields)} resets them, and one without managedFields keeps them`, () =>
      withClient(async (client) => {
        const { body } = await client.apply('one', { a: '1' });
        const kept = await client.put('editor', { ...body, metadata: { ...body.metadata, managedFields: undefined } });
        assert.deepEqual(owners(kept), ['one Apply f:a']);
        const reset = await client.put('editor', { ...body, metadata: { ...body.metadata, managedFields } });
        assert.deepEqual(owners(reset), []);
        assert.deepEqual(owners(await client.patch('editor', { data: { b: '1' } })), []);
      }));
  }

  test('an update with invalid managedFields keeps the stored ones', () =>
    withClient(async (client) => {
      const { body } = await client.apply('one', { a: '1' });
      const managedFields = [{ manager: 'x', operation: 'Patch', apiVersion: 'v1', fieldsType: 'FieldsV1' }];
      const kept = await client.put('editor', { ...body, metadata: { ...body.metadata, managedFields } });
      assert.deepEqual(owners(kept), ['one Apply f:a']);
    }));
});

test('an apply of YAML with duplicate keys is rejected with fieldValidation=Strict', async () => {
  await using server = await startTestServer({ controllers: '' });
  const response = await server.fetch(
    new Request('https://localhost/api/v1/namespaces/default/configmaps/a?fieldManager=m&fieldValidation=Strict', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': APPLY },
      body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: first\n  a: second\n`,
    }),
  );
  const answer = (await response.json()) as { message: string };
  assert.equal(response.status, 400, answer.message);
  assert.equal(
    answer.message,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "a" already set in map',
  );
});
