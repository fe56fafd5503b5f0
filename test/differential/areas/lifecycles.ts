// Lifecycles of whole objects as users, installers and controllers cause them: created in any way, written by several
// field managers, read, deleted with preconditions, kept by finalizers and created again.

import { stringifyYaml } from '../../../src/api/yaml-writer.ts';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { mutatedBody } from '../mutate-body.ts';
import { captureOf, collectionOf, isJudging, nameIn, settled, withOwnName, withoutAllocations } from '../objects.ts';
import { jsonPatchOf, mergePatchOf } from '../patches.ts';
import { partOf, withDuplicates } from '../texts.ts';

const steps = 9;

export const lifecycles: Area = {
  name: 'lifecycles',
  async run(given) {
    const kind = given.random.pick(given.bodies.kinds.filter(({ manifests }) => manifests.length > 0));
    if (isJudging(kind)) await given.alone();
    await new Life(given, kind).run();
  },
};

const managers = ['kubectl', 'controller', 'helm'];

class Life {
  readonly #given: Case;
  readonly #random: SeededRandom;
  readonly #kind: Kind;
  readonly #collection: string;
  readonly #manifest: Body;
  readonly #capture: Record<string, string>;
  #object = '';
  #current: Body = {};

  constructor(given: Case, kind: Kind) {
    this.#given = given;
    this.#random = given.random;
    this.#kind = kind;
    this.#collection = collectionOf(kind);
    this.#capture = captureOf(kind);
    this.#manifest = withOwnName(kind, given.random.pick(kind.manifests));
  }

  async run(): Promise<void> {
    const { session } = this.#given;
    const body = this.#random.chance(30) ? this.#mutated(this.#manifest) : this.#manifest;
    const made = await session.ask(this.#birth(body));
    const name = nameIn(made.body);
    if (made.status !== 201 || name === undefined) return;
    this.#object = `${this.#collection}/{name}`;
    const read = { method: 'GET', path: this.#object, capture: this.#capture };
    this.#keep((await settled(session, this.#kind, read)) ?? made.body);
    for (let left = steps; left > 0; left--) {
      const { status, body: answer, step } = await session.ask(this.#next());
      // A deletion with a body ignores its query.
      const isDry = step.query?.['dryRun'] !== undefined && step.method !== 'DELETE';
      if (status >= 300 || isDry || step.method === 'GET') continue;
      const now = await settled(session, this.#kind, read);
      if (step.method !== 'DELETE') this.#keep(now ?? answer);
    }
  }

  /** How it is created: posted as JSON or YAML, with its own or a generated name, or applied. */
  #birth(body: Body): RequestStep {
    const random = this.#random;
    const path = this.#collection;
    const kind = random.below(10);
    const name = nameIn(body);
    if (kind < 3 && name !== undefined) {
      return { ...this.#applied(`${path}/${name}`, body), capture: this.#capture };
    }
    if (kind < 4)
      return { method: 'POST', path, body: stringifyYaml(body as never), headers: yaml, capture: this.#capture };
    // An object with a generated name on one side only cannot be cleaned up, which matters for objects that affect
    // others.
    if (kind < 5 && name !== undefined && !isJudging(this.#kind)) {
      const { name: _, ...metadata } = body['metadata'] as Body;
      return {
        method: 'POST',
        path,
        body: { ...body, metadata: { ...metadata, generateName: 'made-' } },
        capture: this.#capture,
      };
    }
    return { method: 'POST', path, query: this.#options(), body, capture: this.#capture };
  }

  #keep(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null || !('metadata' in answer)) return;
    if ((answer as Body)['kind'] !== this.#kind.definition.kind) return;
    const object = this.#given.session.asTemplate(answer as Body);
    const metadata = { ...(object['metadata'] as Body) };
    for (const own of ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']) delete metadata[own];
    this.#current = { ...object, metadata };
    withoutAllocations(this.#current);
  }

  #next(): RequestStep {
    const random = this.#random;
    const kind = random.below(100);
    const hasStatus = Object.hasOwn(this.#kind.definition.subresources, 'status');
    const path = hasStatus && random.chance(15) ? `${this.#object}/status` : this.#object;
    if (kind < 25) return this.#apply(path);
    if (kind < 40) return this.#put(path);
    if (kind < 60) return this.#patch(path);
    if (kind < 68) return this.#label();
    if (kind < 74) return { method: 'GET', path, headers: { accept: random.pick(accepts) } };
    if (kind < 80) return { method: 'POST', path: this.#collection, body: this.#manifest, query: this.#options() };
    if (kind < 83) return this.#sentAsText();
    return this.#delete();
  }

  #options(): Record<string, string> {
    const random = this.#random;
    return {
      ...(random.chance(10) && { dryRun: 'All' }),
      ...(random.chance(25) && { fieldValidation: random.pick(['Strict', 'Warn', 'Ignore']) }),
      ...(random.chance(20) && { fieldManager: random.pick(managers) }),
    };
  }

  /** A different part of the manifest each time: fields that a manager omits are removed from the object. */
  #apply(path: string): RequestStep {
    const random = this.#random;
    const whole = random.chance(30) ? this.#mutated(this.#manifest) : this.#manifest;
    return this.#applied(path, random.chance(60) ? partOf(whole, random) : whole);
  }

  #applied(path: string, body: Body): RequestStep {
    const random = this.#random;
    const query = {
      fieldManager: random.pick(managers),
      ...(random.chance(60) && { force: 'true' }),
      ...(random.chance(8) && { dryRun: 'All' }),
      ...(random.chance(10) && { fieldValidation: random.pick(['Strict', 'Ignore']) }),
    };
    const metadata = { ...(body['metadata'] as Body) };
    if (this.#object !== '') metadata['name'] = '{name}';
    return { method: 'PATCH', path, query, headers: apply, body: { ...body, metadata }, capture: this.#capture };
  }

  #put(path: string): RequestStep {
    const random = this.#random;
    const body = this.#mutated(this.#current);
    const metadata = { ...((body['metadata'] ?? {}) as Body) };
    const version = random.below(10);
    if (version < 5) metadata['resourceVersion'] = '{rv}';
    if (version === 9) metadata['resourceVersion'] = '1';
    if (random.chance(5)) metadata['uid'] = random.pick(['{uid}', '11111111-2222-3333-4444-555555555555']);
    return { method: 'PUT', path, query: this.#options(), body: { ...body, metadata }, capture: this.#capture };
  }

  #patch(path: string): RequestStep {
    const random = this.#random;
    const wanted = this.#mutated(this.#current);
    const query = this.#options();
    const form = random.below(3);
    if (form === 0) {
      return {
        method: 'PATCH',
        path,
        query,
        headers: jsonPatch,
        body: jsonPatchOf(this.#current, wanted, random),
        capture: this.#capture,
      };
    }
    const body = mergePatchOf(this.#current, wanted);
    if (random.chance(10))
      body['metadata'] = { ...(body['metadata'] as Body), resourceVersion: random.pick(['{rv}', '1']) };
    return { method: 'PATCH', path, query, headers: form === 1 ? merge : strategic, body, capture: this.#capture };
  }

  /** Changes for objects of every kind: labels, annotations, finalizers, owners. */
  #label(): RequestStep {
    const random = this.#random;
    const metadata = random.pick<Body>([
      { labels: { touched: 'yes', 'app.kubernetes.io/version': random.pick(['1', '2', 'not valid', null]) } },
      { annotations: { 'example.com/at': String(random.below(9)), 'kubectl.kubernetes.io/restartedAt': null } },
      {
        finalizers: random.pick([
          ['example.com/hold'],
          ['example.com/hold', 'foregroundDeletion'],
          null,
          ['bad'],
          ['orphan'],
        ]),
      },
      {
        ownerReferences: [
          { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u-1', controller: random.chance(50) },
        ],
      },
      { generateName: 'x-', deletionGracePeriodSeconds: 3 },
      { name: 'other' },
      { namespace: 'other' },
    ]);
    const query = this.#options();
    return { method: 'PATCH', path: this.#object, query, headers: merge, body: { metadata }, capture: this.#capture };
  }

  #sentAsText(): RequestStep {
    const random = this.#random;
    const text = withDuplicates(this.#mutated(this.#current), random);
    const query = this.#options();
    const headers = random.chance(30) ? yaml : {};
    return { method: 'PUT', path: this.#object, query, headers, body: text, capture: this.#capture };
  }

  #delete(): RequestStep {
    const random = this.#random;
    const query = {
      ...(random.chance(20) && { propagationPolicy: random.pick(['Foreground', 'Background', 'Orphan', 'x']) }),
      ...(random.chance(20) && { gracePeriodSeconds: random.pick(['0', '30', '-1', '1', 'x']) }),
      ...(random.chance(30) && { dryRun: random.pick(['All', 'All', 'x']) }),
      ...(random.chance(5) && { orphanDependents: random.pick(['true', 'false']) }),
    };
    const options = random.pick<Body>([
      {},
      { preconditions: { uid: '{uid}' } },
      { preconditions: { uid: 'other' } },
      { preconditions: { resourceVersion: '{rv}' } },
      { preconditions: { resourceVersion: '1', uid: '{uid}' } },
      { propagationPolicy: 'Foreground', gracePeriodSeconds: 5 },
      { orphanDependents: true, propagationPolicy: 'Orphan' },
      { dryRun: ['All'] },
      { ignoreStoreReadErrorWithClusterBreakingPotential: true },
      { unknown: 1 },
    ]);
    const body = random.chance(50) ? { apiVersion: 'v1', kind: 'DeleteOptions', ...options } : undefined;
    if (random.chance(12) && this.#kind.definition.namespaced) {
      const selector = { labelSelector: 'touched=yes', fieldSelector: `metadata.name=${'{name}'}` };
      return { method: 'DELETE', path: this.#collection, query: { ...query, ...selector }, body };
    }
    return { method: 'DELETE', path: this.#object, query, body };
  }

  #mutated(body: Body): Body {
    const { bodies } = this.#given;
    const random = this.#random;
    if (random.chance(10)) return structuredClone(body);
    return mutatedBody(this.#kind.version.schema, body, { bodies, random, changes: random.pick([1, 1, 2]) });
  }
}

const accepts = [
  'application/json',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
];
const apply = { 'content-type': 'application/apply-patch+yaml' };
const merge = { 'content-type': 'application/merge-patch+json' };
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const yaml = { 'content-type': 'application/yaml' };
