// The plugin EventRateLimit: rejects core events that exceed the configured rate limits.

import { ApiError } from '../api/errors.ts';
import { errorList } from '../base/error-list.ts';
import { whenThere } from '../base/soon.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import type { EventCounter, EventLimitType } from './event-counts.ts';

/** The types of the limits, in their order, and what counts by them. */
export interface EventRates {
  readonly types: readonly EventLimitType[];
  readonly counter: EventCounter;
}

const SOURCE_AND_OBJECT = [
  ['source', 'component'],
  ['source', 'host'],
  ['involvedObject', 'kind'],
  ['involvedObject', 'namespace'],
  ['involvedObject', 'name'],
  ['involvedObject', 'uid'],
  ['involvedObject', 'apiVersion'],
];

const KEYS: Readonly<Record<EventLimitType, (admission: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ request }) => request.namespace,
  User: ({ request }) => request.user.name,
  SourceAndObject: ({ object }) => SOURCE_AND_OBJECT.map((path) => textAt(object, ...path)).join(''),
};

/** @param rates undefined if the plugin is not configured */
export function eventRateLimit(rates: EventRates | undefined): AdmissionPlugin {
  return {
    name: 'EventRateLimit',
    admit(admission) {
      const { request, object, operation, dryRun } = admission;
      if (rates === undefined || object === undefined || dryRun) return;
      if (operation !== 'create' && operation !== 'update') return;
      if (request.definition.group !== '' || request.definition.kind !== 'Event') return;
      const { types, counter } = rates;
      const keys = types.map((type) => KEYS[type](admission));
      return whenThere(counter.count(keys), (exceeded) => {
        if (exceeded.length === 0) return;
        const reached = exceeded.map((index) => `limit reached on type ${types[index]} for key ${keys[index]}`);
        const message = `Too many requests: ${errorList(reached)}`;
        throw new ApiError({ code: 429, reason: 'TooManyRequests', message });
      });
    },
  };
}
