// Defaults of FlowSchema and PriorityLevelConfiguration.

import type { Draft } from '../../../api/object.ts';
import { fillIn, fillInEmpty } from '../../fill-in.ts';
import type { FlowSchema, PriorityLevelConfiguration } from './v1-objects.ts';

export function flowSchemaDefaults(schema: Draft<FlowSchema>): void {
  fillInEmpty((schema.spec ??= {}), { matchingPrecedence: 1000 });
}

export function priorityLevelDefaults(level: Draft<PriorityLevelConfiguration>): void {
  const spec = (level.spec ??= {});
  const limited = spec.limited;
  if (limited !== undefined) {
    fillIn(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
    const queuing = limited.limitResponse?.queuing;
    if (queuing !== undefined) fillInEmpty(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 });
  }
  const exempt = spec.exempt;
  if (exempt !== undefined) fillIn(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
}
