// CustomResourceDefinitions like those of large cloud providers: hundreds, each with hundreds of fields in nested
// objects, all with descriptions. The same number always generates the same definition.

import type { JsonObject } from '../src/api/object.ts';

/** Definitions of one group, as those of one service of a cloud. */
const PER_GROUP = 40;
/** How many fields the parameters have: few kinds have many. */
const FIELDS = [40, 60, 60, 80, 80, 120, 160, 300];
const DEEPEST_BLOCK = 5;
const NOUNS = 'instance network policy volume listener cluster replica schedule certificate endpoint'.split(' ');
const ASPECTS = 'name mode size region timeout encryption retention schedule identity threshold'.split(' ');

export interface CloudDefinition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** The CustomResourceDefinition. */
  readonly object: JsonObject;
}

/** Returns the definition with this number, from 0. */
export function cloudDefinition(number: number): CloudDefinition {
  const group = `service${Math.floor(number / PER_GROUP)}.cloud.example.com`;
  const kind = `Kind${number}`;
  const plural = `kind${number}s`;
  const next = numbers(number + 1);
  const count = FIELDS[next(FIELDS.length)]!;
  const parameters = block(next, count, 0);
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), categories: ['managed', 'cloud'] },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'SYNCED', type: 'string', jsonPath: ".status.conditions[?(@.type=='Synced')].status" },
            { name: 'READY', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
            { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          schema: { openAPIV3Schema: schema(kind, parameters, block(next, Math.floor(count / 2), 1)) },
        },
      ],
    },
  };
  return { group, plural, kind, object };
}

/** A small object of a definition. */
export function cloudObject({ group, kind }: CloudDefinition, name: string): JsonObject {
  return {
    apiVersion: `${group}/v1beta1`,
    kind,
    metadata: { name },
    spec: { forProvider: { region: 'north-1', tags: { team: 'bench' } } },
  };
}

function schema(kind: string, parameters: JsonObject, observed: JsonObject): JsonObject {
  const reference = object({ name: { ...text, description: 'Name of the object that is referred to.' } }, ['name']);
  return described(`${kind} is what the provider manages of this kind.`, {
    ...object({
      apiVersion: text,
      kind: text,
      metadata: { type: 'object' },
      spec: object(
        {
          deletionPolicy: { type: 'string', enum: ['Orphan', 'Delete'], default: 'Delete' },
          forProvider: { ...parameters, required: ['region'] },
          initProvider: parameters,
          managementPolicies: { type: 'array', items: text, default: ['*'] },
          providerConfigRef: { ...reference, default: { name: 'default' } },
          writeConnectionSecretToRef: object({ name: text, namespace: text }, ['name', 'namespace']),
        },
        ['forProvider'],
      ),
      status: object({
        atProvider: observed,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: object(
            {
              type: text,
              status: text,
              reason: text,
              message: text,
              lastTransitionTime: { type: 'string', format: 'date-time' },
              observedGeneration: { type: 'integer', format: 'int64' },
            },
            ['type', 'status', 'reason', 'lastTransitionTime'],
          ),
        },
      }),
    }),
  });
}

/** Returns an object schema with `count` fields, including those of nested objects. */
function block(next: Numbers, count: number, depth: number): JsonObject {
  const properties: Record<string, JsonObject> = {};
  if (depth === 0) {
    properties['region'] = described('Region in which the resource is made.', text);
    properties['tags'] = { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'granular' };
  }
  for (let left = count; left > 0; left--) {
    const noun = NOUNS[next(NOUNS.length)]!;
    const name = `${noun}${capital(ASPECTS[next(ASPECTS.length)]!)}${left}`;
    const description = `The ${name} of the ${noun}: what it is set to when it is made, and whether it may change later without making it anew. Defaults to what the service takes.`;
    if (left > 8 && depth < DEEPEST_BLOCK && next(6) === 0) {
      const within = 4 + next(Math.min(left - 6, 40));
      left -= within;
      const inner = block(next, within, depth + 1);
      properties[name] = described(description, next(2) === 0 ? inner : { type: 'array', items: inner });
    } else {
      properties[name] = described(description, leaf(next));
    }
  }
  return object(properties);
}

function leaf(next: Numbers): JsonObject {
  switch (next(8)) {
    case 0:
      return { type: 'number' };
    case 1:
      return { type: 'boolean' };
    case 2:
      return { type: 'integer', minimum: 0, maximum: 65_535 };
    case 3:
      return { type: 'array', items: text, 'x-kubernetes-list-type': 'set' };
    case 4:
      return { type: 'string', maxLength: 63, ...(next(3) === 0 && { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }) };
    case 5:
      return { type: 'string', enum: ['ENABLED', 'DISABLED', 'AUTOMATIC'] };
    default:
      return text;
  }
}

const text: JsonObject = { type: 'string' };

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function described(description: string, part: JsonObject): JsonObject {
  return { description, ...part };
}

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

/** Returns an integer from 0 to below `bound`. */
type Numbers = (bound: number) => number;

/** A linear congruential generator: quality matters little, but it must produce the same sequence in every run. */
function numbers(seed: number): Numbers {
  let state = seed * 2_654_435_761;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % bound;
  };
}
