// What flow schemas and priority levels are when they do not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, fillInEmpty, objectAt, objectIn } from '../../fill-in.ts';

export function flowSchemaDefaults(schema: JsonObject): void {
  fillInEmpty(objectIn(schema, 'spec'), { matchingPrecedence: 1000 });
}

export function priorityLevelDefaults(level: JsonObject): void {
  const spec = objectIn(level, 'spec');
  const limited = objectAt(spec, 'limited');
  if (limited !== undefined) {
    fillIn(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
    const queuing = objectAt(objectAt(limited, 'limitResponse'), 'queuing');
    if (queuing !== undefined) fillInEmpty(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 });
  }
  const exempt = objectAt(spec, 'exempt');
  if (exempt !== undefined) fillIn(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
}
