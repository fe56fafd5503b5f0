// Events of events.k8s.io, which are stored as core events.

import { newerEvent } from '../../conversion/events.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import type { Event } from '../core/event/objects.ts';
import { newerEventRules } from '../core/event/validation.ts';
import { newerEventFields } from '../core/selectable.ts';
import { eventTable } from '../core/tables.ts';

const events = group('events.k8s.io', 'v1');

export const eventsResources: readonly ResourceDefinition[] = [
  events<Event>({
    resource: 'events',
    kind: 'Event',
    shortNames: ['ev'],
    expires: true,
    storage: '/v1',
    conversions: { v1: newerEvent },
    alsoIn: { '/v1': undefined },
    strategy: {
      ...newerEventRules,
      createOnUpdate: true,
      deletion: { propagation: 'Unsupported' },
      selection: newerEventFields,
    },
    table: eventTable,
  }),
];
