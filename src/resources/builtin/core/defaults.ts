// What the other core kinds are when they do not say.

import type { JsonObject } from '../../../api/object.ts';
import type { BehaviourContext } from '../../definition.ts';
import { fillIn, fillInMembers, objectAt, objectIn, objectsAt } from '../../fill-in.ts';
import { roundResourceList } from '../../resource-list-defaults.ts';
import { POD_RANGES, settleTwins } from './plural-twins.ts';
import { podTemplateDefaults } from './pod/defaults.ts';

/** A replication controller looks after the pods of its template unless it says which. */
export function replicationControllerDefaults(controller: JsonObject, context: BehaviourContext): void {
  const spec = objectAt(controller, 'spec');
  if (spec === undefined) return;
  fillIn(spec, { replicas: 1 });
  const template = objectAt(spec, 'template');
  const labels = objectAt(objectAt(template, 'metadata'), 'labels');
  if (labels !== undefined) {
    fillInMembers(spec, { selector: { ...labels } });
    fillInMembers(objectIn(controller, 'metadata'), { labels: { ...labels } });
  }
  podTemplateDefaults(template, context);
}

export function podTemplateKindDefaults(object: JsonObject, context: BehaviourContext): void {
  podTemplateDefaults(objectAt(object, 'template'), context);
}

export function endpointsDefaults(endpoints: JsonObject): void {
  for (const subset of objectsAt(endpoints, 'subsets')) {
    for (const port of objectsAt(subset, 'ports')) fillIn(port, { protocol: 'TCP' });
  }
}

/** The limits of containers: what is given to who asks for nothing follows from the maximum and the minimum. */
export function limitRangeDefaults(range: JsonObject): void {
  for (const limit of objectsAt(objectAt(range, 'spec'), 'limits')) {
    if (limit['type'] === 'Container') {
      fillFrom(limit, 'default', 'max');
      fillFrom(limit, 'defaultRequest', 'default');
      fillFrom(limit, 'defaultRequest', 'min');
    }
    for (const list of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']) {
      roundResourceList(limit[list]);
    }
  }
}

function fillFrom(limit: JsonObject, target: string, source: string): void {
  const amounts = objectAt(limit, source);
  if (amounts !== undefined) fillIn(objectIn(limit, target), amounts);
}

export function resourceQuotaDefaults(quota: JsonObject): void {
  roundResourceList(objectAt(quota, 'spec')?.['hard']);
  const status = objectAt(quota, 'status');
  roundResourceList(status?.['hard']);
  roundResourceList(status?.['used']);
}

/** All that a node has is there to be given away unless it says less. */
export function nodeDefaults(node: JsonObject): void {
  const spec = objectAt(node, 'spec');
  if (spec !== undefined) settleTwins(spec, POD_RANGES);
  const status = objectAt(node, 'status');
  delete status?.['config'];
  const capacity = objectAt(status, 'capacity');
  if (status === undefined || capacity === undefined) return;
  roundResourceList(capacity);
  // An empty list of what can be allocated says that there is none.
  if (Object.keys(capacity).length > 0) fillIn(status, { allocatable: { ...capacity } });
  roundResourceList(status['allocatable']);
}
