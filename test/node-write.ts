// Writes of a node, as the plugin NodeRestriction answers them in tests.

import type { AdmissionRequest, Operation } from '../src/admission/chain.ts';
import { nodeRestriction } from '../src/admission/node-restriction/node-restriction.ts';
import type { JsonObject } from '../src/api/object.ts';
import type { Authorizer } from '../src/auth/authz/authorizer.ts';

export const NODE_USER = { name: 'system:node:n1', groups: ['system:nodes'] };

/** A write in namespace shop, by default of node n1, in the release served by default. */
export interface NodeWrite {
  readonly resource: string;
  readonly group?: string;
  readonly subresource?: string;
  readonly operation?: Operation;
  readonly name?: string;
  readonly namespace?: string;
  readonly object?: JsonObject;
  readonly previous?: JsonObject;
  readonly user?: JsonObject;
  readonly minor?: number;
}

export interface NodeSurroundings {
  /** By `resource/namespace/name`. */
  readonly stored: Readonly<Record<string, JsonObject>>;
  readonly authorizer: Authorizer;
  /** Feature gates; others are on. */
  readonly gates: Readonly<Record<string, boolean>>;
}

/** What the plugin says to a write: `yes`, or the message behind the object's name. */
export async function answerToNode(write: NodeWrite, { stored, authorizer, gates }: NodeSurroundings): Promise<string> {
  const plugin = nodeRestriction({
    objects: {
      find: async ({ resource }, namespace, name) => stored[`${resource}/${namespace}/${name}`] as never,
      all: async () => [],
    },
    authorizer,
    gateEnabled: (gate) => gates[gate] ?? true,
  });
  const { resource, group = '', subresource = '', operation = 'create', name = 'a', namespace = 'shop' } = write;
  const { object, previous, minor, user = NODE_USER } = write;
  const definition = { resource, group, minor };
  const request = { definition, version: { version: 'v1' }, namespace, name, subresource, user };
  try {
    await plugin.admit({ request, operation, object, previous } as unknown as AdmissionRequest);
    return 'yes';
  } catch (error) {
    return (error as Error).message.replace(/^.*? is forbidden: /, '');
  }
}
