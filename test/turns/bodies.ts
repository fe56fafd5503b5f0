// The largest bodies that a client may send, in the most expensive shapes: one long string, many fields, deep nesting.

import { limits } from '../../src/base/limits.ts';

/** Room for the envelope around the content. */
const BYTES = limits.requestBodyBytes - 4_096;

export interface LargeBody {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: () => string;
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/turns.example/v1/namespaces/default/widgets';
const MAP_HEAD = '"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}';
const WIDGET_HEAD = '"apiVersion":"turns.example/v1","kind":"Widget","metadata":{"name":"w"}';

/** The CustomResourceDefinition for the bodies: anything is allowed in `spec`, and there is a list of integers. */
export const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.turns.example' },
  spec: {
    group: 'turns.example',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              numbers: { type: 'array', items: { type: 'integer' } },
            },
          },
        },
      },
    ],
  },
};

/** Returns comma-separated items, each generated from its index, up to the maximum length. */
function many(item: (index: number) => string, bytes = BYTES): string {
  const items: string[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index++) {
    const text = item(index);
    items.push(text);
    length += text.length + 1;
  }
  items.pop();
  return items.join(',');
}

/** As many members as one object may have, in an order that is not that of their names. */
const members = () => {
  const items = Array.from({ length: limits.objectMembers }, (_, index) => `"k${(index * 7_919) % 1_000_003}":"v"`);
  return items.join(',');
};
const tooManyMembers = () => many((index) => `"k${(index * 7_919) % 1_000_003}":"v"`);
const longText = () => 'x'.repeat(900_000);
const escapes = () => '\\n"\\\\'.replaceAll('"', '\\"').repeat(BYTES / 7);
const numbers = () => many((index) => String(index % 1_000));
const deep = () => {
  const depth = 9_900;
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
};
const deepLists = () => many(() => `${'['.repeat(500)}${']'.repeat(500)}`);

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

function create(name: string, body: () => string): LargeBody {
  return { name: `create, JSON: ${name}`, method: 'POST', path: MAPS, type: JSON_TYPE, body };
}

function createWidget(name: string, body: () => string): LargeBody {
  return { name: `create, custom: ${name}`, method: 'POST', path: WIDGETS, type: JSON_TYPE, body };
}

function createYaml(name: string, body: () => string): LargeBody {
  return { name: `create, YAML: ${name}`, method: 'POST', path: MAPS, type: YAML, body };
}

function patch(name: string, [path, type]: readonly [string, string], body: () => string): LargeBody {
  return { name: `patch: ${name}`, method: 'PATCH', path, type, body };
}

export const largeBodies: readonly LargeBody[] = [
  create('one text', () => `{${MAP_HEAD},"data":{"a":"${longText()}"}}`),
  create('many members', () => `{${MAP_HEAD},"data":{${members()}}}`),
  create('too many members', () => `{${MAP_HEAD},"data":{${tooManyMembers()}}}`),
  create('escapes', () => `{${MAP_HEAD},"data":{"a":"${escapes()}"}}`),
  create('unknown field', () => `{${MAP_HEAD},"x":[${numbers()}]}`),
  create('unknown deep lists', () => `{${MAP_HEAD},"x":[${deepLists()}]}`),
  create('annotations', () => `{"metadata":{"name":"m","annotations":{${members()}}}}`),
  create('labels', () => `{"metadata":{"name":"m","labels":{${members()}}}}`),
  createWidget('numbers', () => `{${WIDGET_HEAD},"numbers":[${numbers()}]}`),
  createWidget('many members', () => `{${WIDGET_HEAD},"spec":{${members()}}}`),
  createWidget('deep', () => `{${WIDGET_HEAD},"spec":${deep()}}`),
  createWidget('unknown fields', () => `{${WIDGET_HEAD},"x":{${members()}}}`),
  createYaml('one quoted text', () => `{${MAP_HEAD},"data":{"a":"${'x '.repeat(BYTES / 2)}"}}`),
  createYaml('one block', () => `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n${'    x\n'.repeat(BYTES / 6)}`),
  createYaml('one plain text', () => `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: ${'x '.repeat(BYTES / 2)}`),
  createYaml('many members', () => `{${MAP_HEAD},"data":{${members()}}}`),
  createYaml('aliases', () => {
    const anchored = `a: &a [${'x,'.repeat(300)}]\nb: &b [${'*a,'.repeat(100)}]\nd: [${'*b,'.repeat(10)}]`;
    return `apiVersion: v1\nkind: ConfigMap\n${anchored}\n`;
  }),
  createYaml('merged aliases', () => {
    const base = `a: &a {${Array.from({ length: 3_000 }, (_, index) => `k${index}: v`).join(', ')}}`;
    return `apiVersion: v1\nkind: ConfigMap\n${base}\nl:\n${'- <<: *a\n'.repeat(120)}`;
  }),
  patch(
    'apply, many members',
    [`${MAPS}/m1?fieldManager=turns`, APPLY],
    () => `{${MAP_HEAD.replace('"m"', '"m1"')},"data":{${members()}}}`,
  ),
  patch(
    'apply, custom',
    [`${WIDGETS}/w1?fieldManager=turns`, APPLY],
    () => `{${WIDGET_HEAD.replace('"w"', '"w1"')},"spec":{${members()}}}`,
  ),
  patch('merge, many members', [`${MAPS}/there`, MERGE], () => `{"data":{${members()}}}`),
  patch('merge, custom', [`${WIDGETS}/there`, MERGE], () => `{"spec":{${members()}}}`),
  patch('merge, custom deep', [`${WIDGETS}/there`, MERGE], () => `{"spec":${deep()}}`),
  patch('strategic, many members', [`${MAPS}/there`, STRATEGIC], () => `{"data":{${members()}}}`),
  patch('JSON, one value', [`${MAPS}/there`, JSON_PATCH], () => `[{"op":"add","path":"/data","value":{${members()}}}]`),
  patch('JSON, many operations', [`${MAPS}/there`, JSON_PATCH], () => {
    const operations = Array.from({ length: 9_999 }, (_, index) => ({
      op: 'add',
      path: `/data/k${index}`,
      value: 'v',
    }));
    return JSON.stringify(operations);
  }),
  {
    name: 'delete, options',
    method: 'DELETE',
    path: `${MAPS}/there`,
    type: JSON_TYPE,
    body: () => `{"x":[${numbers()}]}`,
  },
];
