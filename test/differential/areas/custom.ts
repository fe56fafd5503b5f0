// Custom resources: random definitions, valid and nearly valid, and all kinds of writes to their objects.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';
import { definitionOf, objectOf, randomSchema, type Schema, wrongly } from '../custom-schema.ts';
import { jsonPatchOf, mergePatchOf } from '../patches.ts';

const writes = 12;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const custom: Area = {
  name: 'custom',
  ordered: true,
  async run(given) {
    const { session, random } = given;
    const schema = randomSchema(random, 3);
    const definition = definitionOf(schema, random);
    const body = random.chance(30) ? wrongly(definition, random) : definition;
    const made = await session.ask({ method: 'POST', path: definitions, body });
    if (made.status !== 201) return;
    const isNamespaced = ((body['spec'] as Body)['scope'] as string) === 'Namespaced';
    const path = `/apis/{u}.example.com/v1${isNamespaced ? '/namespaces/{ns}' : ''}/things`;
    await session.until({ path }, (status) => status === 200);
    await new Objects(given, { path, schema }).run();
  },
};

const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid' };
const merge = { 'content-type': 'application/merge-patch+json' };

class Objects {
  readonly #given: Case;
  readonly #random: SeededRandom;
  readonly #path: string;
  readonly #schema: Schema;
  #current: Body = {};

  constructor(given: Case, { path, schema }: { path: string; schema: Schema }) {
    this.#given = given;
    this.#random = given.random;
    this.#path = path;
    this.#schema = schema;
  }

  async run(): Promise<void> {
    for (let left = writes; left > 0; left--) {
      const step = this.#next();
      const { status, body } = await this.#given.session.ask(step);
      if (
        status < 300 &&
        step.query?.['dryRun'] === undefined &&
        step.method !== 'GET' &&
        !step.path.endsWith('/scale')
      ) {
        this.#keep(body);
      }
    }
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
  }

  #next(): RequestStep {
    const random = this.#random;
    const object = `${this.#path}/a`;
    const body = this.#body();
    const query = {
      ...(random.chance(6) && { dryRun: 'All' }),
      ...(random.chance(15) && { fieldValidation: random.pick(['Strict', 'Ignore']) }),
    };
    if (this.#current['kind'] === undefined) return { method: 'POST', path: this.#path, query, body, capture };
    const kind = random.below(100);
    if (kind < 8) return this.#read();
    if (kind < 16) return { method: 'POST', path: this.#path, query: { dryRun: 'All', ...query }, body };
    if (kind < 24) {
      const path = `${object}/scale`;
      const replicas = random.pick<unknown>([0, 1, 3, -1, 'x', null]);
      return { method: 'PATCH', path, headers: merge, body: { spec: { replicas } } };
    }
    const path = random.chance(25) ? `${object}/status` : object;
    if (kind < 55) {
      const metadata = { ...(body['metadata'] as Body), ...(random.chance(92) && { resourceVersion: '{rv}' }) };
      return { method: 'PUT', path, query, body: { ...body, metadata }, capture };
    }
    if (kind < 75)
      return { method: 'PATCH', path, query, headers: merge, body: mergePatchOf(this.#current, body), capture };
    if (kind < 85) {
      const headers = { 'content-type': 'application/json-patch+json' };
      return { method: 'PATCH', path, query, headers, body: jsonPatchOf(this.#current, body, random), capture };
    }
    const headers = {
      'content-type': random.chance(95) ? 'application/apply-patch+yaml' : 'application/strategic-merge-patch+json',
    };
    const manager = { fieldManager: random.pick(['one', 'two']), ...(random.chance(60) && { force: 'true' }) };
    return { method: 'PATCH', path, query: { ...query, ...manager }, headers, body, capture };
  }

  #read(): RequestStep {
    const random = this.#random;
    const accept = random.pick([
      'application/json',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/yaml',
    ]);
    const path = random.pick([this.#path, `${this.#path}/a`, `${this.#path}/a/status`, `${this.#path}/a/scale`]);
    return { method: 'GET', path, headers: { accept } };
  }

  #body(): Body {
    const random = this.#random;
    const value = objectOf(this.#schema, random) as Body;
    const labels = random.chance(30) ? { a: random.pick(['b', 'c', 'Bad Value!']) } : undefined;
    const metadata = { name: 'a', ...(labels !== undefined && { labels }) };
    const whole = { apiVersion: '{u}.example.com/v1', kind: 'Thing', ...value, metadata };
    return random.chance(5) ? wrongly(whole, random) : whole;
  }
}
