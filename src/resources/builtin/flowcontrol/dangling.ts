// Dangling condition of a FlowSchema: whether the priority level that it names exists.

import { goQuote } from '../../../base/go-quote.ts';
import type { Condition } from '../../conditions.ts';
import type { FlowSchema } from './v1-objects.ts';

/** The name of the schema's priority level. */
export function levelOf(schema: FlowSchema): string {
  return schema.spec?.priorityLevelConfiguration?.name ?? '';
}

/**
 * What the schema's condition should be.
 *
 * @param found whether there is a priority level of the name
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
