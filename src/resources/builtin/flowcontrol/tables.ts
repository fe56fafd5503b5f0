// How flow schemas and priority levels are listed.

import type { TableColumns } from '../../definition.ts';
import { age, condition, NONE, table } from '../../table.ts';
import { at, numberAt, textAt } from '../../value.ts';

export const flowSchemaTable: TableColumns = table(
  ['PriorityLevel', 'MatchingPrecedence', 'DistinguisherMethod', 'Age', 'MissingPL'],
  (schema) => [
    textAt(schema, 'spec', 'priorityLevelConfiguration', 'name'),
    numberAt(schema, 'spec', 'matchingPrecedence'),
    textAt(schema, 'spec', 'distinguisherMethod', 'type') || NONE,
    age(schema),
    textAt(condition(schema, 'Dangling'), 'status') || '?',
  ],
);

export const priorityLevelTable: TableColumns = table(
  ['Type', 'NominalConcurrencyShares', 'Queues', 'HandSize', 'QueueLengthLimit', 'Age'],
  (level) => {
    const limited = at(level, 'spec', 'limited');
    const queuing = at(limited, 'limitResponse', 'queuing');
    return [
      textAt(level, 'spec', 'type'),
      at(limited, 'nominalConcurrencyShares') ?? NONE,
      at(queuing, 'queues') ?? NONE,
      at(queuing, 'handSize') ?? NONE,
      at(queuing, 'queueLengthLimit') ?? NONE,
      age(level),
    ];
  },
);
