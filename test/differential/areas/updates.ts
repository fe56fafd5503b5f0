// Updates, patches, applied configurations and writes to subresources, in random sequences on one object of each
// built-in kind.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { mutatedBody } from '../mutate-body.ts';
import {
  captureOf,
  collectionOf,
  isJudging,
  nameIn,
  settled,
  takesAddresses,
  withOwnName,
  withoutAllocations,
} from '../objects.ts';
import { jsonPatchOf, mergePatchOf, withDirective } from '../patches.ts';

const steps = 5;
const manifestPercent = 30;

export const updates: Area = {
  name: 'updates',
  async run(given) {
    const { random, bodies } = given;
    const kind = random.pick(bodies.kinds.filter(({ accepted, manifests }) => accepted.length + manifests.length > 0));
    if (isJudging(kind)) await given.alone();
    await new Updates(given, kind).run();
  },
};

class Updates {
  readonly #given: Case;
  readonly #random: SeededRandom;
  readonly #kind: Kind;
  #path = '';
  /** Returns the reference's object without fields that only a server can set. */
  #current: Body = {};
  #applied: Body = {};

  constructor(given: Case, kind: Kind) {
    this.#given = given;
    this.#random = given.random;
    this.#kind = kind;
  }

  async run(): Promise<void> {
    const { session } = this.#given;
    const body = withOwnName(this.#kind, this.#random.pick(this.#bases()));
    const path = collectionOf(this.#kind);
    if (takesAddresses(body)) await this.#given.alone();
    const made = await session.ask({ method: 'POST', path, body, capture: captureOf(this.#kind) });
    const name = nameIn(made.body);
    if (made.status !== 201 || name === undefined) return;
    this.#path = `${path}/{name}`;
    this.#applied = session.asTemplate(body);
    const read = { method: 'GET', path: this.#path, capture: captureOf(this.#kind) };
    this.#keep((await settled(session, this.#kind, read)) ?? made.body);
    for (let left = steps; left > 0; left--) {
      const { status, body: answer, step } = await session.ask(this.#next());
      if (status >= 300 || step.query?.['dryRun'] !== undefined) continue;
      const now = await settled(session, this.#kind, read);
      if (!step.path.endsWith('/scale')) this.#keep(now ?? answer);
    }
  }

  #bases(): readonly Body[] {
    const { accepted, manifests } = this.#kind;
    if (manifests.length > 0 && (accepted.length === 0 || this.#random.chance(manifestPercent))) return manifests;
    return accepted;
  }

  #keep(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null || !('metadata' in answer)) return;
    const object = this.#given.session.asTemplate(answer as Body);
    const {
      uid: _,
      resourceVersion: __,
      creationTimestamp: ___,
      managedFields: ____,
      ...metadata
    } = object['metadata'] as Body;
    this.#current = { ...object, metadata };
    withoutAllocations(this.#current);
  }

  #next(): RequestStep {
    const kind = this.#random.below(100);
    const subresources = Object.keys(this.#kind.definition.subresources);
    if (kind < 12 && subresources.includes('status')) return this.#status();
    if (kind < 17 && subresources.includes('scale')) return this.#scale();
    if (kind < 40) return this.#put();
    return this.#patch(this.#path, this.#mutated());
  }

  #put(): RequestStep {
    const body = this.#mutated();
    const metadata = body['metadata'];
    if (typeof metadata === 'object' && metadata !== null) {
      if (this.#random.chance(60)) (metadata as Body)['resourceVersion'] = '{rv}';
      if (this.#random.chance(15)) (metadata as Body)['uid'] = '{uid}';
    }
    return this.#write({ method: 'PUT', path: this.#path, body });
  }

  #status(): RequestStep {
    const { bodies } = this.#given;
    const field = this.#kind.version.schema.jsonFields.get('status');
    const body = structuredClone(this.#current);
    if (field?.node.kind === 'struct') {
      const status = (body['status'] ?? {}) as Body;
      body['status'] = mutatedBody(field.node, status, { bodies, random: this.#random, changes: 3 });
    }
    const path = `${this.#path}/status`;
    return this.#random.chance(50) ? this.#write({ method: 'PUT', path, body }) : this.#patch(path, body);
  }

  #scale(): RequestStep {
    const path = `${this.#path}/scale`;
    const replicas = this.#random.pick<unknown>([0, 1, 3, -1, 'x', null, 100_000, 1.5]);
    const metadata = { name: nameIn(this.#current), namespace: '{ns}' };
    const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
    if (this.#random.chance(40)) return this.#write({ method: 'PUT', path, body });
    return this.#write({ method: 'PATCH', path, body: { spec: { replicas } }, headers: mergeType });
  }

  #patch(path: string, wanted: Body): RequestStep {
    const random = this.#random;
    const kind = random.below(4);
    if (kind === 0)
      return this.#write({ method: 'PATCH', path, headers: mergeType, body: mergePatchOf(this.#current, wanted) });
    if (kind === 1) {
      const headers = { 'content-type': 'application/strategic-merge-patch+json' };
      const patch = mergePatchOf(this.#current, wanted);
      return this.#write({
        method: 'PATCH',
        path,
        headers,
        body: random.chance(25) ? withDirective(patch, random) : patch,
      });
    }
    if (kind === 2) {
      const headers = { 'content-type': 'application/json-patch+json' };
      return this.#write({ method: 'PATCH', path, headers, body: jsonPatchOf(this.#current, wanted, random) });
    }
    return this.#apply(path);
  }

  #apply(path: string): RequestStep {
    const { bodies } = this.#given;
    const random = this.#random;
    const { schema } = this.#kind.version;
    const body = random.chance(40) ? this.#applied : mutatedBody(schema, this.#applied, { bodies, random, changes: 2 });
    const query = {
      fieldManager: random.pick(['one', 'two']),
      ...(random.chance(60) && { force: 'true' }),
    };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    return this.#write({ method: 'PATCH', path, headers, query, body });
  }

  #write(step: RequestStep): RequestStep {
    const random = this.#random;
    const query = {
      ...step.query,
      ...(random.chance(8) && { dryRun: 'All' }),
      ...(random.chance(8) && { fieldValidation: random.pick(['Strict', 'Ignore']) }),
      ...(random.chance(8) && step.query?.['fieldManager'] === undefined && { fieldManager: 'me' }),
    };
    return { ...step, query, capture: captureOf(this.#kind) };
  }

  #mutated(): Body {
    const { bodies } = this.#given;
    const mutation = { bodies, random: this.#random, changes: this.#random.pick([1, 1, 2, 4]) };
    if (this.#random.chance(8)) return structuredClone(this.#current);
    return mutatedBody(this.#kind.version.schema, this.#current, mutation);
  }
}

const mergeType = { 'content-type': 'application/merge-patch+json' };
