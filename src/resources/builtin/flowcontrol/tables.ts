// Table columns of FlowSchema and PriorityLevelConfiguration.

import { condition } from '../../conditions.ts';
import type { TableColumns } from '../../definition.ts';
import { age, NONE, table } from '../../table.ts';
import type { FlowSchema, PriorityLevelConfiguration } from './v1-objects.ts';

export const flowSchemaTable: TableColumns<FlowSchema> = {
  ...table<FlowSchema>(['PriorityLevel', 'MatchingPrecedence', 'DistinguisherMethod', 'Age', 'MissingPL'], (schema) => [
    schema.spec?.priorityLevelConfiguration?.name ?? '',
    schema.spec?.matchingPrecedence ?? 0,
    (schema.spec?.distinguisherMethod?.type ?? '') || NONE,
    age(schema),
    (condition(schema, 'Dangling')?.status ?? '') || '?',
  ]),
  // In order of matching: the first matching schema classifies a request.
  order: (one, other) => precedenceOf(one) - precedenceOf(other) || (nameOf(one) < nameOf(other) ? -1 : 1),
};

const precedenceOf = (schema: FlowSchema) => schema.spec?.matchingPrecedence ?? 0;
const nameOf = ({ metadata }: FlowSchema) => metadata.name ?? '';

export const priorityLevelTable: TableColumns<PriorityLevelConfiguration> = table(
  ['Type', 'NominalConcurrencyShares', 'Queues', 'HandSize', 'QueueLengthLimit', 'Age'],
  (level) => {
    const limited = level.spec?.limited;
    const queuing = limited?.limitResponse?.queuing;
    return [
      level.spec?.type ?? '',
      limited?.nominalConcurrencyShares ?? NONE,
      queuing?.queues ?? NONE,
      queuing?.handSize ?? NONE,
      queuing?.queueLengthLimit ?? NONE,
      age(level),
    ];
  },
);
