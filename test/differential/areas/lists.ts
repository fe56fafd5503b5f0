// Lists and watches: a few objects that are updated and deleted, read in all supported ways.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area } from '../area.ts';

const writes = 5;
const reads = 8;

export const lists: Area = {
  name: 'lists',
  async run({ session, random }) {
    const subject = random.pick(subjects);
    // Objects of earlier conversations in this namespace are gone, and selectors exclude others.
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}-{u}`);
    for (const [index, name] of names.entries()) {
      const labels = { run: '{u}', ...random.pick([{ app: 'web' }, { app: 'db', tier: 'x' }, {}]) };
      const body = { ...subject.body, metadata: { name, labels } };
      await session.ask({
        method: 'POST',
        path: subject.path,
        body,
        capture: { [`rv${index}`]: 'metadata.resourceVersion' },
      });
    }
    for (let left = writes; left > 0; left--) await session.ask(write(subject.path, names, random));
    for (let left = reads; left > 0; left--) await session.ask(read(subject.path, random));
  },
};

interface Subject {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const subjects: readonly Subject[] = [
  { path: '/api/v1/namespaces/{ns}/configmaps', body: { data: { a: 'b' } } },
  { path: '/api/v1/namespaces/{ns}/secrets', body: { type: 'example.com/x' } },
  { path: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', body: {} },
  { path: '/api/v1/namespaces/{ns}/pods', body: { spec: { containers: [{ name: 'a', image: 'b' }] } } },
];

function write(path: string, names: readonly string[], random: SeededRandom): RequestStep {
  const object = `${path}/${random.pick(names)}`;
  const kind = random.below(10);
  const capture = { rv: 'metadata.resourceVersion' };
  if (kind < 2) return { method: 'DELETE', path: object, query: { gracePeriodSeconds: '0' } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  const app = random.pick(['web', 'db', null]);
  const metadata = random.chance(50) ? { labels: { app } } : { annotations: { n: String(random.below(100)) } };
  return { method: 'PATCH', path: object, headers, body: { metadata }, capture };
}

const own = ['run={u}', 'run={u},app=web', 'run={u},app!=web', 'run in ({u}),!app', 'run={u},app in (web,db)'];
const versions = ['{rv0}', '{rv2}', '{rv}', '0', '', '{listed}', 'x', '99999999999'];
const accepts = [
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json',
];

function read(path: string, random: SeededRandom): RequestStep {
  const query: Record<string, string> = { labelSelector: random.pick(own) };
  if (random.chance(60)) query['resourceVersion'] = random.pick(versions);
  if (random.chance(35)) query['resourceVersionMatch'] = random.pick(['Exact', 'NotOlderThan', 'x']);
  if (random.chance(20))
    query['fieldSelector'] = random.pick([
      'metadata.name=a-{u}',
      'metadata.name!=b-{u}',
      'metadata.namespace={ns}',
      'spec.x=y',
    ]);
  const headers: Record<string, string> = random.chance(30) ? { accept: random.pick(accepts) } : {};
  if (random.chance(10)) return { method: 'GET', path: `${path}/a-{u}`, query, headers };
  if (random.chance(50)) {
    if (random.chance(50)) query['limit'] = random.pick(['1', '2', '3', '500', '0', '-1']);
    if (random.chance(30)) query['continue'] = '{token}';
    return {
      method: 'GET',
      path,
      query,
      headers,
      capture: { token: 'metadata.continue', listed: 'metadata.resourceVersion' },
    };
  }
  Object.assign(query, { watch: '1', timeoutSeconds: '1' });
  if (random.chance(30)) query['allowWatchBookmarks'] = 'true';
  if (random.chance(30)) query['sendInitialEvents'] = random.pick(['true', 'false']);
  if (query['resourceVersion'] === '99999999999') query['resourceVersion'] = '{rv}';
  return { method: 'GET', path, query, headers };
}
