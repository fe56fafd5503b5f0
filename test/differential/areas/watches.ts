// Watches during writes: events, bookmarks and formats, with objects that start and stop matching the selector.

import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';

const watchers = 4;
const writes = 6;
/** How long a watch has to start before the first write. */
const headStartMs = 1000;

export const watches: Area = {
  name: 'watches',
  async run(given) {
    const { session, random } = given;
    const subject = random.pick(subjects);
    if (subject.definition !== undefined) {
      const made = await session.ask({ method: 'POST', path: definitions, body: subject.definition });
      if (made.status !== 201) return;
      await session.until({ path: subject.path }, (status) => status === 200);
    }
    for (const name of ['a', 'b']) {
      await session.ask({
        method: 'POST',
        path: subject.path,
        body: objectOf(subject, name),
        capture: { [`rv${name}`]: 'metadata.resourceVersion' },
      });
    }
    await session.ask({
      method: 'GET',
      path: subject.path,
      query: { labelSelector: 'run={u}' },
      capture: { listed: 'metadata.resourceVersion' },
    });
    const open = Array.from({ length: watchers }, () => session.ask(watchOf(subject, random)));
    // A difference in one ends the conversation after all have ended.
    const all = Promise.allSettled(open);
    await sleep(headStartMs);
    await write(given, subject);
    await all;
    await Promise.all(open);
  },
};

async function write({ session, random }: Case, subject: Subject): Promise<void> {
  const there = new Set(['a', 'b']);
  for (let left = writes; left > 0; left--) {
    const name = random.pick(['a', 'b', 'c']);
    const path = `${subject.path}/${name}-{u}`;
    const kind = random.below(10);
    if (!there.has(name)) {
      there.add(name);
      await session.tidy({ method: 'POST', path: subject.path, body: objectOf(subject, name) });
    } else if (kind < 2) {
      there.delete(name);
      await session.tidy({ method: 'DELETE', path, query: { gracePeriodSeconds: '0' } });
    } else {
      const headers = { 'content-type': 'application/merge-patch+json' };
      const [at, change] = random.chance(45)
        ? subject.change(random)
        : ['', { metadata: { labels: { app: random.pick(['web', 'db', null]) } } }];
      await session.tidy({ method: 'PATCH', path: `${path}${at}`, headers, body: change });
    }
  }
  for (const name of there)
    await session.tidy({ method: 'DELETE', path: `${subject.path}/${name}-{u}`, query: { gracePeriodSeconds: '0' } });
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Subject {
  readonly path: string;
  /** That of a custom resource. */
  readonly definition?: Body;
  readonly body: Body;
  readonly fields: readonly string[];
  /** The subresource, and the change of a field that field selectors use. */
  readonly change: (random: SeededRandom) => [string, Body];
}

const subjects: readonly Subject[] = [
  {
    path: '/api/v1/namespaces/{ns}/pods',
    body: { spec: { containers: [{ name: 'a', image: 'b' }] } },
    fields: [
      'status.phase=Running',
      'status.phase!=Running',
      'spec.nodeName=',
      'status.podIP=10.1.1.1',
      'spec.restartPolicy=Always,status.phase=Pending',
      'status.nominatedNodeName=x',
    ],
    change: (random) => [
      '/status',
      {
        status: random.pick([
          { phase: 'Running' },
          { phase: 'Pending' },
          { podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }] },
          { nominatedNodeName: 'x' },
        ]),
      },
    ],
  },
  {
    path: '/api/v1/namespaces/{ns}/configmaps',
    body: { data: { a: 'b' } },
    fields: ['metadata.name=a-{u}', 'metadata.name!=a-{u}', 'metadata.namespace={ns}'],
    change: (random) => ['', { data: { a: String(random.below(9)) } }],
  },
  {
    path: '/api/v1/namespaces/{ns}/secrets',
    body: { type: 'example.com/x' },
    fields: ['type=example.com/x', 'type!=example.com/x', 'type=Opaque,metadata.name=a-{u}'],
    change: (random) => ['', { stringData: { a: String(random.below(9)) } }],
  },
  {
    path: '/api/v1/namespaces/{ns}/replicationcontrollers',
    body: {
      spec: {
        selector: { a: 'b' },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    },
    fields: ['status.replicas=0', 'status.replicas=2', 'status.replicas!=2'],
    change: (random) => ['/status', { status: { replicas: random.pick([0, 2]) } }],
  },
  {
    path: '/apis/apps/v1/namespaces/{ns}/replicasets',
    body: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    },
    fields: ['status.replicas=0', 'status.replicas=2', 'metadata.name!=b-{u}'],
    change: (random) => ['/status', { status: { replicas: random.pick([0, 2]) } }],
  },
  {
    path: '/api/v1/nodes',
    body: {},
    fields: ['spec.unschedulable=true', 'spec.unschedulable!=true', 'spec.unschedulable=false'],
    change: (random) => ['', { spec: { unschedulable: random.pick([true, null]) } }],
  },
  {
    path: '/apis/{u}.example.com/v1/namespaces/{ns}/things',
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.{u}.example.com' },
      spec: {
        group: '{u}.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: { mode: { type: 'string' }, size: { type: 'integer' }, on: { type: 'boolean' } },
                  },
                },
              },
            },
            selectableFields: [{ jsonPath: '.spec.mode' }, { jsonPath: '.spec.size' }, { jsonPath: '.spec.on' }],
            additionalPrinterColumns: [{ name: 'Mode', type: 'string', jsonPath: '.spec.mode' }],
          },
        ],
      },
    },
    body: { apiVersion: '{u}.example.com/v1', kind: 'Thing', spec: { mode: 'a', size: 1 } },
    fields: ['spec.mode=a', 'spec.mode!=a', 'spec.size=1,spec.mode=a', 'spec.on=true', 'spec.on=', 'spec.nope=x'],
    change: (random) => [
      '',
      { spec: random.pick<Body>([{ mode: 'a' }, { mode: 'b' }, { mode: null }, { size: 2 }, { on: true }]) },
    ],
  },
  {
    path: '/apis/batch/v1/namespaces/{ns}/jobs',
    body: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } } },
    fields: ['status.successful=1', 'status.successful=0', 'status.successful!=1'],
    change: (random) => ['', { spec: { suspend: random.chance(50) } }],
  },
  {
    path: '/api/v1/namespaces/{ns}/events',
    body: { involvedObject: { kind: 'Pod', name: 'x', namespace: '{ns}' }, reason: 'R', type: 'Normal' },
    fields: ['reason=R', 'type=Warning', 'type!=Warning', 'involvedObject.name=x', 'source=y', 'reportingComponent=y'],
    change: (random) => [
      '',
      random.pick([{ type: 'Warning' }, { type: 'Normal' }, { source: { component: 'y' } }, { count: 2 }]),
    ],
  },
];

function objectOf({ body }: Subject, name: string): Body {
  return { ...body, metadata: { name: `${name}-{u}`, labels: { run: '{u}' } } };
}

function watchOf(subject: Subject, random: SeededRandom): RequestStep {
  const query: Record<string, string> = {
    watch: random.pick(['1', 'true']),
    // Long enough for all writes when both servers share a busy machine.
    timeoutSeconds: '5',
    labelSelector: random.pick(['run={u}', 'run={u}', 'run={u},app=web', 'run={u},app!=web', 'run={u},!app']),
    ...(random.chance(60) && { resourceVersion: random.pick(['{rva}', '{rvb}', '{listed}', '0', '']) }),
    ...(random.chance(50) && { fieldSelector: random.pick(subject.fields) }),
    ...(random.chance(30) && { allowWatchBookmarks: 'true' }),
  };
  if (random.chance(25)) {
    query['sendInitialEvents'] = random.pick(['true', 'true', 'false']);
    query['resourceVersionMatch'] = 'NotOlderThan';
  }
  const accept = random.pick([
    'application/json',
    'application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'application/yaml',
  ]);
  if (random.chance(10)) query['includeObject'] = random.pick(['None', 'Object', 'Metadata']);
  const isOld = random.chance(15);
  const path = isOld ? subject.path.replace('/v1/', '/v1/watch/') : subject.path;
  return { method: 'GET', path, query, headers: { accept } };
}
