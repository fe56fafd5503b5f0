// Defaults of core kinds without a folder of their own.

import type { Draft } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn, fillInMembers } from '../../fill-in.ts';
import { roundResourceList } from '../../resource-list-defaults.ts';
import type { Endpoints } from './endpoints/objects.ts';
import type { Node } from './node/objects.ts';
import { settleRanges } from './plural-twins.ts';
import { podTemplateDefaults } from './pod/defaults.ts';
import type { PodTemplate } from './pod/objects.ts';
import type { LimitRange, LimitRangeItem, ResourceQuota } from './quota/objects.ts';
import type { ReplicationController } from './replication-controller/objects.ts';

/** The selector of a ReplicationController defaults to the labels of its template. */
export function replicationControllerDefaults(
  controller: Draft<ReplicationController>,
  context: StrategyContext,
): void {
  const spec = controller.spec;
  if (spec === undefined) return;
  fillIn(spec, { replicas: 1 });
  const template = spec.template;
  const labels = template?.metadata?.labels;
  if (labels !== undefined) {
    fillInMembers(spec, { selector: { ...labels } });
    fillInMembers((controller.metadata ??= {}), { labels: { ...labels } });
  }
  podTemplateDefaults(template, context);
}

export function podTemplateKindDefaults(object: Draft<PodTemplate>, context: StrategyContext): void {
  podTemplateDefaults(object.template, context);
}

export function endpointsDefaults(endpoints: Draft<Endpoints>): void {
  for (const subset of endpoints.subsets ?? []) {
    for (const port of subset.ports ?? []) fillIn(port, { protocol: 'TCP' });
  }
}

/** LimitRange items of type Container: default limits and requests follow from maximum and minimum. */
export function limitRangeDefaults(range: Draft<LimitRange>): void {
  for (const limit of range.spec?.limits ?? []) {
    if (limit.type === 'Container') {
      fillFrom(limit, 'default', 'max');
      fillFrom(limit, 'defaultRequest', 'default');
      fillFrom(limit, 'defaultRequest', 'min');
    }
    for (const list of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const) {
      roundResourceList(limit[list]);
    }
  }
}

type Amounts = 'max' | 'min' | 'default' | 'defaultRequest';

function fillFrom(limit: Draft<LimitRangeItem>, target: Amounts, source: Amounts): void {
  const amounts = limit[source];
  if (amounts !== undefined && Object.keys(amounts).length > 0) fillIn((limit[target] ??= {}), amounts);
}

export function resourceQuotaDefaults(quota: Draft<ResourceQuota>): void {
  roundResourceList(quota.spec?.hard);
  const status = quota.status;
  roundResourceList(status?.hard);
  roundResourceList(status?.used);
}

/** Allocatable defaults to the capacity of the node. */
export function nodeDefaults(node: Draft<Node>): void {
  const spec = node.spec;
  if (spec !== undefined) settleRanges(spec);
  const status = node.status;
  const capacity = status?.capacity;
  if (status === undefined || capacity === undefined) return;
  roundResourceList(capacity);
  if (Object.keys(capacity).length > 0) fillIn(status, { allocatable: { ...capacity } });
  roundResourceList(status.allocatable);
}
