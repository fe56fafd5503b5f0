// Deletions in all forms: of one object and of collections, with options in the query and in bodies of every media
// type, of objects with finalizers, grace periods and dependents.

import { Buffer } from 'node:buffer';
import { CborWriter } from '../../../src/api/cbor-writer.ts';
import type { Json } from '../../../src/api/object.ts';
import { stringifyYaml } from '../../../src/api/yaml-writer.ts';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { definitionOf } from '../custom-schema.ts';
import { collectionOf, isJudging, isSettling, withOwnName } from '../objects.ts';
import { PROTOBUF, protobufOf } from '../protobuf-bodies.ts';

const steps = 9;

export const deletions: Area = {
  name: 'deletions',
  async run(given) {
    const { random, bodies } = given;
    const subject = random.chance(70) ? random.pick(subjects) : fromKind(given, random.pick(bodies.kinds));
    if (subject === undefined) return;
    if (subject.isAlone === true) await given.alone();
    if (subject.definition !== undefined && !(await isDefined(given, subject))) return;
    const names = ['a', 'b', 'c', 'd'].slice(0, random.pick([1, 1, 2, 3, 4])).map((name) => `${name}-{u}`);
    for (const name of names) await make(given, subject, name);
    for (let left = steps; left > 0; left--) await given.session.ask(next(given, subject, names));
    // The remaining objects and their state.
    await given.session.ask({ method: 'GET', path: subject.path, query: own });
  },
};

interface Subject {
  readonly path: string;
  readonly body: Body;
  /** Written to its status after creation. */
  readonly statuses?: readonly Body[];
  /** A custom resource with an existing definition. */
  readonly definition?: Body;
  readonly isAlone?: boolean;
}

const own = { labelSelector: 'run={u}' };
const merge = { 'content-type': 'application/merge-patch+json' };
const containers = [{ name: 'a', image: 'b' }];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const selector = { matchLabels: { a: 'b' } };
const pods = '/api/v1/namespaces/{ns}/pods';
const phases = ['Running', 'Succeeded', 'Failed', 'Unknown'].map((phase) => ({ status: { phase } }));

const subjects: readonly Subject[] = [
  { path: '/api/v1/namespaces/{ns}/configmaps', body: { data: { a: 'b' } } },
  { path: '/api/v1/namespaces/{ns}/secrets', body: { type: 'example.com/x' } },
  ...[undefined, 0, 1, 30, -1].flatMap((terminationGracePeriodSeconds) =>
    [undefined, 'node-1'].map((nodeName) => ({
      path: pods,
      body: { spec: { containers, terminationGracePeriodSeconds, nodeName } },
      statuses: phases,
    })),
  ),
  { path: '/apis/apps/v1/namespaces/{ns}/deployments', body: { spec: { selector, template } } },
  { path: '/apis/apps/v1/namespaces/{ns}/statefulsets', body: { spec: { selector, template, serviceName: 'a' } } },
  { path: '/apis/apps/v1/namespaces/{ns}/replicasets', body: { spec: { selector, template } } },
  {
    path: '/api/v1/namespaces/{ns}/replicationcontrollers',
    body: { spec: { selector: { a: 'b' }, template, replicas: 0 } },
  },
  {
    path: '/apis/batch/v1/namespaces/{ns}/jobs',
    body: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
  },
  {
    path: '/api/v1/namespaces/{ns}/persistentvolumeclaims',
    body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
  { path: '/api/v1/namespaces/{ns}/services', body: { spec: { ports: [{ port: 80 }] } } },
  { path: '/api/v1/namespaces/{ns}/events', body: { involvedObject: { namespace: '{ns}' } } },
  {
    path: '/apis/events.k8s.io/v1/namespaces/{ns}/events',
    body: {
      eventTime: '2026-01-02T03:04:05.000006Z',
      ...{ reportingController: 'a/b', reportingInstance: 'c', action: 'x', reason: 'y', type: 'Normal' },
    },
  },
  { path: '/api/v1/namespaces', body: {}, isAlone: true },
  { path: '/api/v1/nodes', body: {} },
  {
    path: '/api/v1/persistentvolumes',
    body: { spec: { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
  },
  ...['Namespaced', 'Cluster'].map((scope) => ({
    path: `/apis/{u}.example.com/v1${scope === 'Namespaced' ? '/namespaces/{ns}' : ''}/things`,
    body: { apiVersion: '{u}.example.com/v1', kind: 'Thing', spec: { a: 1 } },
    definition: { scope },
    isAlone: true,
  })),
];

function fromKind({ random }: Case, kind: Kind): Subject | undefined {
  // Definitions that a controller writes to, or with names that have a meaning, belong to other areas.
  if (kind.manifests.length === 0 || isSettling(kind) || !kind.definition.verbs.includes('delete')) return undefined;
  const body = withOwnName(kind, random.pick(kind.manifests));
  const metadata = body['metadata'] as Body | undefined;
  if (!String(metadata?.['name']).includes('{u}')) return undefined;
  return { path: collectionOf(kind), body, isAlone: isJudging(kind) };
}

async function isDefined({ session, random }: Case, { path, definition }: Subject): Promise<boolean> {
  const whole = definitionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, random);
  const body = { ...whole, spec: { ...(whole['spec'] as Body), ...definition } };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const made = await session.ask({ method: 'POST', path: definitions, body });
  if (made.status !== 201) return false;
  await session.until({ path }, (status) => status === 200);
  return true;
}

async function make({ session, random }: Case, subject: Subject, name: string): Promise<void> {
  const metadata = {
    ...((subject.body['metadata'] ?? {}) as Body),
    name,
    labels: { run: '{u}', ...(random.chance(40) && { app: 'web' }) },
    finalizers: random.pick<unknown>([
      ...[undefined, undefined, undefined, undefined, undefined],
      ...[['example.com/hold'], ['orphan'], ['foregroundDeletion'], ['example.com/hold', 'foregroundDeletion']],
      ['orphan', 'foregroundDeletion'],
    ]),
  };
  const kept = { rv: 'metadata.resourceVersion', uid: 'metadata.uid' };
  await session.ask({ method: 'POST', path: subject.path, body: { ...subject.body, metadata }, capture: kept });
  if (subject.statuses === undefined || random.chance(70)) return;
  const path = `${subject.path}/${name}/status`;
  await session.ask({ method: 'PATCH', path, headers: merge, body: random.pick(subject.statuses), capture: kept });
}

function next(given: Case, { path }: Subject, names: readonly string[]): RequestStep {
  const { random } = given;
  const object = `${path}/${random.pick(names)}`;
  const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid' };
  const kind = random.below(100);
  if (kind < 10) return { method: 'GET', path: object, capture };
  if (kind < 15) {
    const query = random.chance(50) ? { ...own, limit: '1' } : own;
    return { method: 'GET', path, query, capture: { token: 'metadata.continue' } };
  }
  if (kind < 27) {
    const finalizers = random.pick<unknown>([null, null, ['example.com/hold'], ['orphan'], ['foregroundDeletion']]);
    const changed = random.pick<Body>([{ finalizers }, { finalizers }, { labels: { app: 'db' } }]);
    return { method: 'PATCH', path: object, headers: merge, body: { metadata: changed }, capture };
  }
  const accept: Readonly<Record<string, string>> = random.chance(15) ? { accept: random.pick(accepts) } : {};
  const options = optionsIn(given);
  if (kind < 75) {
    return { method: 'DELETE', path: object, ...options, headers: { ...options.headers, ...accept } };
  }
  const query = { ...options.query, ...selection(random) };
  return { method: 'DELETE', path, ...options, query, headers: { ...options.headers, ...accept } };
}

/** Selects part of the collection: only objects of this conversation. */
function selection(random: SeededRandom): Record<string, string> {
  const query: Record<string, string> = {
    labelSelector: random.pick([
      ...['run={u}', 'run={u}', 'run={u}', 'run={u},app=web', 'run in ({u}),app!=web', 'run={u},!app'],
      ...['run={u},app in (web', 'run={u},='],
    ]),
  };
  if (random.chance(25)) {
    query['fieldSelector'] = random.pick([
      ...['metadata.name=a-{u}', 'metadata.name!=a-{u}', 'metadata.namespace={ns}', 'status.phase=Running'],
      ...['spec.nodeName=node-1', 'spec.nothing=x', 'metadata.name'],
    ]);
  }
  if (random.chance(30)) query['limit'] = random.pick(['1', '2', '500', '0', '-1', 'x', '']);
  if (random.chance(8)) query['continue'] = random.pick(['x', '', '{token}', '{token}', '{token}']);
  if (random.chance(15)) query['resourceVersion'] = random.pick(['0', '{rv}', '{rv}', 'x', '99999999999']);
  if (random.chance(12)) query['resourceVersionMatch'] = random.pick(['Exact', 'NotOlderThan', 'x', '']);
  if (random.chance(6)) query['timeoutSeconds'] = random.pick(['1', '0', 'x', '-1']);
  if (random.chance(6)) query['sendInitialEvents'] = random.pick(['true', 'false']);
  if (random.chance(4)) query['watch'] = random.pick(['true', 'false']);
  if (random.chance(4)) query['allowWatchBookmarks'] = 'true';
  return query;
}

interface Options {
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly base64?: true;
}

/** Options of a deletion: in the query, in the body, or both. */
function optionsIn({ random }: Case): Options {
  const where = random.below(10);
  const query = where < 5 ? queryOptions(random) : {};
  if (where < 4) return { query, headers: {} };
  const options = bodyOptions(random);
  if (random.chance(8)) {
    return { query, headers: { 'content-type': random.pick(oddTypes) }, body: options };
  }
  const form = random.below(10);
  if (form < 5) return { query, headers: {}, body: options };
  if (form < 7) {
    return { query, headers: { 'content-type': 'application/yaml' }, body: stringifyYaml(options as never) };
  }
  if (form < 9) {
    const headers = { 'content-type': PROTOBUF };
    try {
      // Variables cannot be used in binary bodies.
      const fixed = JSON.parse(JSON.stringify(options).replaceAll(/\{(uid|rv)\}/g, '1')) as Body;
      return {
        query,
        headers,
        body: protobufOf({ apiVersion: 'v1', kind: 'DeleteOptions', ...fixed }).toString('base64'),
        base64: true,
      };
    } catch {
      return { query, headers, body: options['kind'] === 'DeleteOptions' ? 'k8s' : '' };
    }
  }
  const writer = new CborWriter();
  writer.selfDescribed();
  writer.value(options as Json);
  const body = Buffer.from(writer.view()).toString('base64');
  return { query, headers: { 'content-type': 'application/cbor' }, body, base64: true };
}

const oddTypes = ['text/plain', 'application/json; charset=utf-8', 'application/merge-patch+json', '', 'x'];

function queryOptions(random: SeededRandom): Record<string, string> {
  const query: Record<string, string> = {};
  if (random.chance(35)) query['gracePeriodSeconds'] = random.pick(periods);
  if (random.chance(30)) query['propagationPolicy'] = random.pick([...policies, '']);
  if (random.chance(12)) query['orphanDependents'] = random.pick(['true', 'false', '', '1', '0', 'x']);
  if (random.chance(15)) query['dryRun'] = random.pick(['All', 'All', 'x']);
  if (random.chance(6)) query['uid'] = random.pick(['{uid}', 'other', '']);
  if (random.chance(6)) query['resourceVersion'] = random.pick(['{rv}', '1', '']);
  if (random.chance(8)) query['ignoreStoreReadErrorWithClusterBreakingPotential'] = random.pick(['true', 'false', 'x']);
  if (random.chance(5)) query['pretty'] = 'true';
  if (random.chance(4)) query['fieldValidation'] = random.pick(['Strict', 'x']);
  if (random.chance(4)) query['kind'] = random.pick(['DeleteOptions', 'Pod']);
  return query;
}

const periods = [
  '0',
  '0',
  '1',
  '30',
  '5',
  '-1',
  '-5',
  '9223372036854775807',
  '-9223372036854775808',
  '99999999999999999999',
  'x',
  '',
  '1.5',
  '+3',
];
const policies = ['Foreground', 'Background', 'Orphan', 'x'];

function bodyOptions(random: SeededRandom): Body {
  const typed = random.below(12);
  const type: Body =
    typed < 7
      ? { kind: 'DeleteOptions', apiVersion: random.pick(['v1', 'v1', 'meta.k8s.io/v1', 'apps/v1']) }
      : random.pick<Body>([
          {},
          {},
          { kind: 'DeleteOptions' },
          { apiVersion: 'v1' },
          { kind: 'DeleteOptions', apiVersion: 'example.com/v1' },
          { kind: 'Pod', apiVersion: 'v1' },
          { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' },
          { kind: 1, apiVersion: 'v1' },
        ]);
  const options: Body = { ...type };
  if (random.chance(35)) {
    options['gracePeriodSeconds'] = random.pick<unknown>([0, 0, 1, 5, 30, -1, -7, 2 ** 53, 1e25, '1', null, 1.5, true]);
  }
  if (random.chance(30)) options['propagationPolicy'] = random.pick<unknown>([...policies, '', null, 1]);
  if (random.chance(12)) options['orphanDependents'] = random.pick<unknown>([true, false, null, 'true']);
  if (random.chance(20)) {
    options['dryRun'] = random.pick<unknown>([
      ['All'],
      ['All'],
      [],
      ['All', 'All'],
      ['x'],
      ['All', 'x'],
      null,
      'All',
      [1],
    ]);
  }
  if (random.chance(25)) {
    options['preconditions'] = random.pick<unknown>([
      ...[{ uid: '{uid}' }, { uid: 'other' }, { resourceVersion: '{rv}' }, { resourceVersion: '1' }, {}, null],
      ...[{ uid: '{uid}', resourceVersion: '{rv}' }, { uid: 'x', resourceVersion: '1' }, { uid: '' }, { uid: null }],
      ...[{ resourceVersion: '' }, { resourceVersion: 1 }, { unknown: 'x' }, []],
    ]);
  }
  if (random.chance(8)) {
    options['ignoreStoreReadErrorWithClusterBreakingPotential'] = random.pick<unknown>([true, false, null, 'x']);
  }
  if (random.chance(5)) options['unknown'] = 1;
  return options;
}

const accepts = [
  'application/yaml',
  PROTOBUF,
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'text/html',
  'application/cbor',
];
