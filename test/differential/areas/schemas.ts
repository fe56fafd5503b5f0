// CustomResourceDefinitions with every feature of structural schemas: objects written by several field managers, read and
// written in two versions, and written again after the definition was changed.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';
import type { Schema } from '../custom-schema.ts';
import { jsonPatchOf, mergePatchOf } from '../patches.ts';
import { richObject, richValue, varied } from '../rich-schema.ts';
import { partOf } from '../texts.ts';

const writes = 14;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = '{u}.example.com';

export const schemas: Area = {
  name: 'schemas',
  ordered: true,
  async run(given) {
    const { session, random } = given;
    const shape = shapeOf(random);
    const made = await session.ask({ method: 'POST', path: definitions, body: definitionOf(shape) });
    if (made.status !== 201) return;
    await served(given, shape);
    await new Writes(given, shape).run();
  },
};

interface Shape {
  readonly spec: Schema;
  readonly status: Schema;
  readonly isOpen: boolean;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  readonly isNamespaced: boolean;
  /** A second version, with the same schema or a part of it. */
  readonly second: Schema | undefined;
  readonly storage: 'v1' | 'v1beta1';
  readonly selectable: readonly string[];
  readonly rootRules: readonly Body[];
  /** Increases with each change; visible in the columns of tables. */
  readonly generation: number;
}

function shapeOf(random: SeededRandom): Shape {
  const spec = richObject(random, 4);
  const properties = spec['properties'] as Record<string, Schema>;
  const scalar = Object.entries(properties).filter(
    ([name, { type }]) => /^[a-z]+$/.test(name) && ['string', 'integer', 'boolean'].includes(String(type)),
  );
  return {
    spec,
    status: richObject(random, 2),
    isOpen: random.chance(6),
    hasStatus: random.chance(60),
    hasScale: random.chance(30),
    isNamespaced: random.chance(75),
    second: random.chance(40) ? secondOf(spec, random) : undefined,
    storage: random.chance(50) ? 'v1' : 'v1beta1',
    selectable: random.chance(35) ? scalar.slice(0, 2).map(([name]) => `.spec.${name}`) : [],
    rootRules: random.chance(15)
      ? [{ rule: random.pick(["self.metadata.name != 'b'", 'has(self.spec)', 'self.spec == oldSelf.spec']) }]
      : [],
    generation: 0,
  };
}

/** The schema with a field more or less, or with the same fields. */
function secondOf(spec: Schema, random: SeededRandom): Schema {
  const properties = { ...(spec['properties'] as Body) };
  const names = Object.keys(properties);
  const required = (spec['required'] ?? []) as string[];
  const removed = names.length > 0 && random.chance(40) ? random.pick(names) : undefined;
  if (removed !== undefined && !required.includes(removed) && JSON.stringify(spec).includes('"required"') === false) {
    delete properties[removed];
  }
  if (random.chance(40))
    properties['added'] = random.pick<Schema>([{ type: 'string', default: 'new' }, richObject(random, 1)]);
  return { ...spec, properties };
}

function definitionOf(shape: Shape): Body {
  const version = (name: string, spec: Schema) => ({
    name,
    served: true,
    storage: shape.second === undefined || shape.storage === name,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec, status: shape.status },
        ...(shape.isOpen && { 'x-kubernetes-preserve-unknown-fields': true }),
        ...(shape.rootRules.length > 0 && { 'x-kubernetes-validations': shape.rootRules }),
      },
    },
    ...((shape.hasStatus || shape.hasScale) && {
      subresources: { ...(shape.hasStatus && { status: {} }), ...(shape.hasScale && { scale: scalePaths }) },
    }),
    ...(shape.selectable.length > 0 && { selectableFields: shape.selectable.map((jsonPath) => ({ jsonPath })) }),
    additionalPrinterColumns: [
      { name: `Generation${shape.generation}`, type: 'string', jsonPath: '.spec.alpha' },
      { name: 'Mode', type: 'integer', jsonPath: '.spec.mode', priority: 1 },
      { name: 'First', type: 'string', jsonPath: '.spec.beta[0].key' },
    ],
  });
  const versions = [
    version('v1', shape.spec),
    ...(shape.second === undefined ? [] : [version('v1beta1', shape.second)]),
  ];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: shape.isNamespaced ? 'Namespaced' : 'Cluster',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions,
    },
  };
}

const scalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.mode',
};

function collectionOf({ isNamespaced }: Shape, version: string): string {
  return `/apis/${group}/${version}${isNamespaced ? '/namespaces/{ns}' : ''}/things`;
}

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** Waits until both serve the definition's present schema. */
async function served({ session }: Case, shape: Shape): Promise<void> {
  const versions = shape.second === undefined ? ['v1'] : ['v1', 'v1beta1'];
  for (const version of versions) {
    await session.until({ path: collectionOf(shape, version), headers: table }, (status, body) => {
      return status === 200 && JSON.stringify(body).includes(`Generation${shape.generation}`);
    });
  }
}

const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid' };
const merge = { 'content-type': 'application/merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const managers = ['one', 'two', 'three'];

class Writes {
  readonly #given: Case;
  readonly #random: SeededRandom;
  #shape: Shape;
  #current: Body = {};

  constructor(given: Case, shape: Shape) {
    this.#given = given;
    this.#random = given.random;
    this.#shape = shape;
  }

  async run(): Promise<void> {
    const { session } = this.#given;
    for (let left = writes; left > 0; left--) {
      if (this.#current['kind'] !== undefined && this.#random.chance(10)) {
        await this.#change();
        continue;
      }
      const { status, body, step } = await session.ask(this.#next());
      if (status >= 300 || step.method === 'GET' || step.query?.['dryRun'] !== undefined) continue;
      if (step.method === 'DELETE' || step.path.endsWith('/scale')) await this.#read();
      else this.#keep(body);
    }
  }

  async #read(): Promise<void> {
    const { session } = this.#given;
    const { status, body } = await session.ask({
      method: 'GET',
      path: `${collectionOf(this.#shape, 'v1')}/a`,
      capture,
    });
    if (status === 404) this.#current = {};
    else this.#keep(body);
  }

  #keep(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null || !('metadata' in answer)) return;
    const object = this.#given.session.asTemplate(answer as Body);
    const metadata = { ...(object['metadata'] as Body) };
    for (const own of ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']) delete metadata[own];
    this.#current = { ...object, metadata };
  }

  /** Changes the definition: stored objects may violate the new schema. */
  async #change(): Promise<void> {
    const { session } = this.#given;
    const random = this.#random;
    const properties = { ...(this.#shape.spec['properties'] as Record<string, Schema>) };
    const fresh = richObject(random, 3)['properties'] as Record<string, Schema>;
    const names = Object.keys(fresh);
    if (names.length > 0) {
      const name = random.pick(names);
      if (random.chance(80)) properties[name] = fresh[name]!;
      else delete properties[name];
    }
    const selectable = this.#shape.selectable.filter((path) => Object.hasOwn(properties, path.slice('.spec.'.length)));
    const spec = { ...this.#shape.spec, properties };
    const second = this.#shape.second === undefined ? undefined : { ...this.#shape.second, properties };
    const shape = { ...this.#shape, spec, second, selectable, generation: this.#shape.generation + 1 };
    const path = `${definitions}/things.${group}`;
    const { status } = await session.ask({
      method: 'PATCH',
      path,
      headers: merge,
      body: { spec: definitionOf(shape)['spec'] },
      // The conditions of the definition depend on each server's controllers.
      only: ['status', 'body.message', 'body.details', 'body.spec'],
    });
    if (status !== 200) return;
    this.#shape = shape;
    await served(this.#given, shape);
  }

  #next(): RequestStep {
    const random = this.#random;
    const version = this.#shape.second === undefined || random.chance(60) ? 'v1' : 'v1beta1';
    const collection = collectionOf(this.#shape, version);
    const identity = { apiVersion: `${group}/${version}`, kind: 'Thing' };
    const query = {
      ...(random.chance(6) && { dryRun: 'All' }),
      ...(random.chance(15) && { fieldValidation: random.pick(['Strict', 'Ignore', 'Warn']) }),
    };
    const object = `${collection}/a`;
    if (this.#current['kind'] === undefined) {
      const body = { ...identity, ...this.#fresh() };
      if (random.chance(30)) return this.#applied(object, body, query);
      return { method: 'POST', path: collection, query: { ...query, ...this.#manager(20) }, body, capture };
    }
    const kind = random.below(100);
    if (kind < 10) return this.#asRead(collection);
    if (kind < 14) return this.#delete(object);
    const subresource = this.#shape.hasStatus && random.chance(30) ? '/status' : '';
    if (kind < 20 && this.#shape.hasScale) return this.#scale(`${object}/scale`, query);
    const wanted: Body = { ...this.#varied(), ...identity };
    const path = `${object}${subresource}`;
    const named = { ...query, ...this.#manager(20) };
    if (kind < 42) {
      const metadata = { ...(wanted['metadata'] as Body), ...(random.chance(90) && { resourceVersion: '{rv}' }) };
      return { method: 'PUT', path, query: named, body: { ...wanted, metadata }, capture };
    }
    if (kind < 58) {
      const body = { ...mergePatchOf(this.#current, { ...wanted, apiVersion: this.#current['apiVersion'] }) };
      return { method: 'PATCH', path, query: named, headers: merge, body, capture };
    }
    if (kind < 68) {
      const body = jsonPatchOf(this.#current, { ...wanted, apiVersion: this.#current['apiVersion'] }, random);
      return { method: 'PATCH', path, query: named, headers: jsonPatch, body, capture };
    }
    return this.#applied(
      path,
      { ...partOf(random.chance(70) ? wanted : { ...identity, ...this.#fresh() }, random) },
      query,
    );
  }

  #manager(percent: number): Record<string, string> {
    return this.#random.chance(percent) ? { fieldManager: this.#random.pick(managers) } : {};
  }

  #applied(path: string, body: Body, query: Record<string, string>): RequestStep {
    const random = this.#random;
    const { managedFields: _, finalizers: __, ...metadata } = (body['metadata'] ?? {}) as Body;
    for (const name of Object.keys(metadata))
      if (!['name', 'labels', 'annotations'].includes(name)) delete metadata[name];
    return {
      method: 'PATCH',
      path,
      query: { ...query, fieldManager: random.pick(managers), ...(random.chance(55) && { force: 'true' }) },
      headers: apply,
      body: { ...body, metadata: { ...metadata, name: 'a' } },
      capture,
    };
  }

  #scale(path: string, query: Record<string, string>): RequestStep {
    const random = this.#random;
    const replicas = random.pick<unknown>([0, 1, 2, 3, -1, 'x', null, 1.5]);
    const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas } };
    if (random.chance(30)) return { method: 'PUT', path, query, body };
    if (random.chance(30)) return { method: 'GET', path };
    return { method: 'PATCH', path, query, headers: merge, body: { spec: { replicas } } };
  }

  #delete(path: string): RequestStep {
    const random = this.#random;
    const preconditions = random.pick<unknown>([undefined, undefined, { uid: '{uid}' }, { resourceVersion: '1' }]);
    const body = preconditions === undefined ? undefined : { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    return { method: 'DELETE', path, query: random.chance(30) ? { propagationPolicy: 'Foreground' } : {}, body };
  }

  #asRead(collection: string): RequestStep {
    const random = this.#random;
    const accept = random.pick([
      'application/json',
      'application/json',
      table.accept,
      'application/yaml',
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    ]);
    const field = this.#shape.selectable[0]?.slice(1);
    const query: Record<string, string> = {};
    if (random.chance(40))
      query['fieldSelector'] =
        `${field ?? 'spec.alpha'}${random.pick(['=', '!='])}${random.pick(['a', '1', '', 'true'])}`;
    const isList = random.chance(50);
    return {
      method: 'GET',
      path: isList ? collection : `${collection}/a`,
      headers: { accept },
      ...(isList && { query }),
    };
  }

  #fresh(): Body {
    const random = this.#random;
    const metadata = { name: 'a', ...this.#metadata() };
    return {
      metadata,
      ...(random.chance(90) && { spec: richValue(this.#shape.spec, random) }),
      ...(random.chance(30) && { status: richValue(this.#shape.status, random) }),
      ...(random.chance(6) && { extra: { a: 1 } }),
    };
  }

  #metadata(): Body {
    const random = this.#random;
    return {
      ...(random.chance(25) && { labels: { a: random.pick(['b', 'c', 'Bad Value!']) } }),
      ...(random.chance(15) && { annotations: { a: random.pick(['b', 'c']) } }),
      ...(random.chance(6) && { finalizers: random.pick([['example.com/hold'], []]) }),
    };
  }

  #varied(): Body {
    const random = this.#random;
    const { spec, status, metadata, ...rest } = this.#current;
    const next: Body = { ...rest, metadata: { ...(metadata as Body), ...this.#metadata() } };
    if (random.chance(95)) next['spec'] = random.chance(80) ? varied(this.#shape.spec, spec ?? {}, random) : spec;
    if (random.chance(90))
      next['status'] = random.chance(50) ? varied(this.#shape.status, status ?? {}, random) : status;
    return JSON.parse(JSON.stringify(next)) as Body;
  }
}
