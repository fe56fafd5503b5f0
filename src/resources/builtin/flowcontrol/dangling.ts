// Whether the priority level that a flow schema names is there, as its status tells.

import type { ApiObject } from '../../../api/object.ts';
import { goQuote } from '../../../base/go-quote.ts';
import type { Condition } from '../../conditions.ts';
import { textAt } from '../../value.ts';

/** The name of the schema's priority level. */
export function levelOf(schema: ApiObject): string {
  return textAt(schema, 'spec', 'priorityLevelConfiguration', 'name');
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
