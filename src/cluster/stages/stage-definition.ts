// The definition of Stages, for servers to which nobody has brought KWOK's own: the same names, fields and defaults.

import type { JsonObject } from '../../api/object.ts';
import { STAGE_GROUP, STAGE_KIND, STAGE_RESOURCE, STAGE_VERSION } from './stage-objects.ts';

export const STAGE_DEFINITION = `${STAGE_RESOURCE}.${STAGE_GROUP}`;

/** A CustomResourceDefinition of apiextensions.k8s.io/v1. */
export function stageDefinition(): JsonObject {
  return {
    metadata: { name: STAGE_DEFINITION },
    spec: {
      group: STAGE_GROUP,
      names: { kind: STAGE_KIND, listKind: `${STAGE_KIND}List`, plural: STAGE_RESOURCE, singular: 'stage' },
      scope: 'Cluster',
      versions: [
        {
          name: STAGE_VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: schema() },
        },
      ],
    },
  };
}

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const COUNT = { type: 'integer', minimum: 0 };
const MILLISECONDS = { type: 'integer', format: 'int64', minimum: 0 };

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required: [...required] }) };
}

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

function schema(): JsonObject {
  const texts = { type: 'object', additionalProperties: TEXT };
  const expression = object({ expression: TEXT });
  const from = object({ cel: expression, jq: expression, expressionFrom: TEXT });
  const requirement = { key: TEXT, operator: TEXT, values: list(TEXT) };
  const finalizers = list(object({ value: TEXT }));
  const user = object({ username: TEXT }, ['username']);
  const patch = object({
    ...{ subresource: TEXT, root: TEXT, template: TEXT, impersonation: user },
    type: { type: 'string', enum: ['json', 'merge', 'strategic'] },
  });
  const spec = object(
    {
      resourceRef: object({ apiGroup: { ...TEXT, default: 'v1' }, kind: TEXT }, ['kind']),
      selector: object({
        matchLabels: texts,
        matchAnnotations: texts,
        matchExpressions: list(object({ ...requirement, cel: expression, jq: object(requirement) })),
      }),
      weight: { ...COUNT, default: 0 },
      weightFrom: from,
      delay: object({
        ...{ durationMilliseconds: MILLISECONDS, durationFrom: from },
        ...{ jitterDurationMilliseconds: MILLISECONDS, jitterDurationFrom: from },
      }),
      next: object({
        event: object({ type: TEXT, reason: TEXT, message: TEXT }),
        finalizers: object({ add: finalizers, remove: finalizers, empty: FLAG }),
        delete: FLAG,
        patches: list(patch),
        statusTemplate: TEXT,
        statusSubresource: { ...TEXT, default: 'status' },
        statusPatchAs: user,
      }),
      immediateNextStage: FLAG,
    },
    ['next', 'resourceRef'],
  );
  const condition = object({ type: TEXT, status: TEXT, reason: TEXT, message: TEXT, lastTransitionTime: TEXT });
  return object(
    {
      ...{ apiVersion: TEXT, kind: TEXT, metadata: { type: 'object' }, spec },
      status: object({ conditions: list(condition) }),
    },
    ['spec'],
  );
}
