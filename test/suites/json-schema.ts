// The suite of JSON schema, as Kubernetes' library kube-openapi holds it: each of its schemas becomes the schema of a custom
// resource, each of its values an object, and the answers of Keelson are compared with those of the real kube-apiserver,
// word by word. Run by `npm run suites`; README.md says what it needs.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/api/object.ts';
import { type Answer, type Ask, answered, Comparison, CRDS, type Outcome, refusal } from './comparison.ts';

const MODULE = 'k8s.io/kube-openapi@v0.0.0-20250710124328-f3f2b991d03b';
const FIXTURES = 'pkg/validation/validate/fixtures';
const FOLDERS = ['jsonschema_suite', 'jsonschema_suite/optional', 'formats'];

interface Group {
  readonly description: string;
  readonly schema: JsonObject;
  readonly tests: readonly { readonly description: string; readonly data: Json }[];
}

/** Compares the answers of two servers to the whole suite. */
export async function compareJsonSchemas(reference: Ask, keelson: Ask): Promise<Outcome> {
  const comparison = new JsonSchemas(reference, keelson);
  for (const [file, groups] of suite()) {
    for (const group of groups) {
      const title = `${file}: ${group.description}`;
      await comparison.compare({ ...group, title });
      await comparison.compare({ ...group, title: `${title}, with types`, schema: typed(group.schema) });
    }
  }
  return comparison;
}

function* suite(): Generator<readonly [file: string, Group[]]> {
  const told = JSON.parse(execFileSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8' })) as JsonObject;
  for (const folder of FOLDERS.map((each) => join(String(told['Dir']), FIXTURES, each))) {
    for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
      yield [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Group[]];
    }
  }
}

class JsonSchemas extends Comparison {
  #definitions = 0;

  async compare({ title, schema, tests }: Group & { readonly title: string }): Promise<void> {
    const plural = `s${++this.#definitions}s`;
    const kind = `S${this.#definitions}`;
    const made = await this.#ask(`${title}, the definition`, 'POST', CRDS, definition(plural, kind, schema));
    if (made !== 201) return;
    const objects = `/apis/suite.example/v1/namespaces/default/${plural}`;
    for (const ask of this.servers) await answered(200, () => ask('GET', objects));
    for (const [index, { description, data }] of tests.entries()) {
      const object = { apiVersion: 'suite.example/v1', kind, metadata: { name: `o${index}` }, spec: { v: data } };
      await this.#ask(`${title}, ${description}: ${JSON.stringify(data)}`, 'POST', objects, object);
    }
    for (const ask of this.servers) await ask('DELETE', `${CRDS}/${plural}.suite.example`);
  }

  /** @returns the status, if both servers answer it */
  async #ask(what: string, method: string, path: string, body: JsonObject): Promise<number | undefined> {
    const [one, other] = await this.both(what, (ask) => ask(method, path, body), told);
    return one.status === other.status ? one.status : undefined;
  }
}

/** What is compared of an answer: the specification that was stored, or the errors. */
function told(answer: Answer): unknown {
  return answer.status < 300 ? [answer.status, answer.body['spec'] ?? null] : refusal(answer);
}

function definition(plural: string, kind: string, schema: JsonObject): JsonObject {
  const spec: JsonObject = { type: 'object', properties: { v: schema } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.suite.example` },
    spec: {
      ...{ group: 'suite.example', scope: 'Namespaced', names: { plural, singular: kind.toLowerCase(), kind } },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

/** What tells the type of a schema without one. */
const TELLING: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['object', 'properties', 'required', 'maxProperties', 'minProperties'],
  ['array', 'items', 'maxItems', 'minItems'],
  ['number', 'multipleOf', 'maximum', 'minimum'],
];

/** The schema with types, which structural schemas must have and the suite mostly lacks. */
function typed(schema: JsonObject): JsonObject {
  const [listed] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const type = listed ?? TELLING.find(([, ...keywords]) => keywords.some((each) => each in schema))?.[0] ?? 'string';
  const made: JsonObject = { ...schema, type };
  const { properties, items, additionalProperties } = schema;
  if (isSchema(properties)) {
    made['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, isSchema(each) ? typed(each) : each]),
    );
  }
  if (isSchema(items)) made['items'] = typed(items);
  else if (type === 'array' && items === undefined) made['items'] = { type: 'integer' };
  if (isSchema(additionalProperties)) made['additionalProperties'] = typed(additionalProperties);
  const isOpen = type === 'object' && properties === undefined && additionalProperties === undefined;
  if (isOpen) made['x-kubernetes-preserve-unknown-fields'] = true;
  return made;
}

function isSchema(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
