import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { longestTurn } from './longest-turn.ts';
import { longestTurns } from './turns.ts';

/** One of each reader of bodies, in the order of bodies.ts. */
const READ_IN_TURNS = [
  'create, JSON: unknown field',
  'create, custom: many members',
  'create, YAML: one block',
  'create, YAML: many members',
  'patch: apply, custom',
  'patch: merge, custom',
];

test('other requests run while a body of 3 MB is parsed and processed', async () => {
  const rows = await longestTurns((name) => READ_IN_TURNS.includes(name), 1);
  assert.deepEqual(
    rows.map(({ name, rounds }) => (rounds > 8 ? name : `${name}: ${rounds} rounds`)),
    READ_IN_TURNS,
  );
});

test('other requests run while a short patch changes a large object', async () => {
  await using server = await startTestServer();
  const maps = '/api/v1/namespaces/default/events';
  const annotations = { long: 'x'.repeat(200_000) };
  const related = { kind: 'Pod', namespace: 'default', name: 'a' };
  const event = { metadata: { name: 'e', annotations }, involvedObject: related };
  assert.equal((await server.request('POST', maps, event)).status, 201);
  const operations = Array.from({ length: 1_000 }, (_, index) => ({
    op: 'add',
    path: `/metadata/labels/l${index}`,
    value: 'v',
  }));
  const patch = JSON.stringify([{ op: 'add', path: '/metadata/labels', value: {} }, ...operations]);
  const { rounds } = await longestTurn(() =>
    server.fetch(
      new Request(`https://localhost${maps}/e`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json-patch+json' },
        body: patch,
      }),
    ),
  );
  assert.ok(rounds > 2, `${rounds} rounds`);
});

test('other requests run while a page is searched with a long selector', async () => {
  await using server = await startTestServer();
  const maps = '/api/v1/namespaces/default/configmaps';
  const names = Array.from({ length: 500 }, (_, index) => `m${index}`);
  await Promise.all(names.map((name) => server.request('POST', maps, { metadata: { name } })));
  const selector = Array.from({ length: 6_000 }, (_, index) => `k${index}!=v`).join(',');
  for (const [method, query] of [
    ['GET', 'limit=1000'],
    ['DELETE', 'dryRun=All'],
  ] as const) {
    const { rounds } = await longestTurn(() =>
      server.request(method, `${maps}?${query}&labelSelector=${encodeURIComponent(`${selector},nowhere`)}`),
    );
    assert.ok(rounds > 3, `${method}: ${rounds} rounds`);
  }
});

const LONG_LISTS: Readonly<Record<string, readonly [path: string, body: () => unknown]>> = {
  'an EndpointSlice with many addresses': [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    () => ({
      addressType: 'IPv4',
      endpoints: many(1_000, (one) => ({ addresses: many(60, (other) => `10.${one >> 8}.${one & 255}.${other}`) })),
    }),
  ],
  'a NetworkPolicy with many peers': [
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    () => ({
      spec: { podSelector: {}, ingress: [{ from: many(15_000, () => ({ ipBlock: { cidr: '10.0.0.0/8' } })) }] },
    }),
  ],
  'a definition with many patterns': [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    () => ({
      spec: {
        group: 'turns.example',
        scope: 'Namespaced',
        names: { plural: 'patterns', kind: 'Pattern' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: Object.fromEntries(
                  many(300, (index) => [`p${index}`, { type: 'string', pattern: `^[a-z]{1,${100 + index}}$` }]),
                ),
              },
            },
          },
        ],
      },
    }),
  ],
};

function many<Item>(count: number, of: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => of(index));
}

test('other requests run while long lists and many patterns are validated, and errors keep their paths', async () => {
  await using server = await startTestServer();
  for (const [name, [path, body]] of Object.entries(LONG_LISTS)) {
    const object = { metadata: { name: 'patterns.turns.example' }, ...(body() as object) };
    let status = 0;
    const { rounds } = await longestTurn(async () => {
      status = (await server.request('POST', `${path}?dryRun=All`, object)).status;
    });
    assert.equal(status, 201, name);
    assert.ok(rounds > 8, `${name}: ${rounds} rounds`);
  }
  const peers = many(5_000, (index) => ({ ipBlock: { cidr: index % 1_000 === 999 ? 'x' : '10.0.0.0/8' } }));
  const { body } = await server.request('POST', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
    metadata: { name: 'p' },
    spec: { podSelector: {}, ingress: [{ from: peers }] },
  });
  const { details } = body as { details: { causes: { field: string }[] } };
  assert.deepEqual(
    details.causes.map(({ field }) => field),
    [999, 1_999, 2_999, 3_999, 4_999].map((index) => `spec.ingress[0].from[${index}].ipBlock.cidr`),
  );
});
