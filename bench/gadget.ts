// A custom resource as operators define them: a schema with a keyed list, a set, defaults and limits.

import { Buffer } from 'node:buffer';

const GROUP = 'bench.example.com';

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const GADGETS = `/apis/${GROUP}/v1/namespaces/default/gadgets`;

/** The JSON text of the definition. */
export function gadgetDefinition(): string {
  const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: spec(), status: status() } } };
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names, versions: [version] },
  });
}

function spec(): object {
  const count = { type: 'integer', minimum: 0, maximum: 100, default: 1 };
  return {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1 },
      colour: { type: 'string', enum: ['red', 'green', 'blue'] },
      tags: { type: 'array', items: { type: 'string', maxLength: 63 }, 'x-kubernetes-list-type': 'set' },
      parts: {
        type: 'array',
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, count } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      selector: { type: 'object', additionalProperties: { type: 'string' } },
    },
  };
}

function status(): object {
  return { type: 'object', properties: { phase: { type: 'string' }, observedGeneration: { type: 'integer' } } };
}

/** The JSON text of an object to be created. */
export function gadget(name: string): Buffer {
  const parts = ['frame', 'wheel', 'screw'].map((each, index) => ({ name: each, count: index + 1 }));
  return Buffer.from(
    JSON.stringify({
      apiVersion: `${GROUP}/v1`,
      kind: 'Gadget',
      metadata: { name, namespace: 'default', labels: { app: 'web' }, annotations: { 'example.com/owner': 'bench' } },
      spec: { size: 3, colour: 'red', tags: ['a', 'b'], parts: [...parts, { name: 'bolt' }], selector: { app: 'web' } },
    }),
  );
}
