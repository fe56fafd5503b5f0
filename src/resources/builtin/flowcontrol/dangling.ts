// The Dangling condition of FlowSchemas: whether their priority level exists.

import { goQuote } from '../../../base/go-quote.ts';
import type { Condition } from '../../conditions.ts';
import type { FlowSchema } from './v1-objects.ts';

/** The name of the schema's priority level. */
export function levelOf(schema: FlowSchema): string {
  return schema.spec?.priorityLevelConfiguration?.name ?? '';
}

/**
 * The desired condition of the schema.
 *
 * @param found whether the priority level exists
 */
export function danglingCondition(level: string, found: boolean): Condition {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;
  return {
    type: 'Dangling',
    status: found ? 'False' : 'True',
    reason: found ? 'Found' : 'NotFound',
    message: `${named} ${found ? 'and it exists' : 'but there is no such object'}`,
  };
}
