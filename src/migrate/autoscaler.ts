// Migration of HorizontalPodAutoscalers from autoscaling/v2beta1, whose metrics are flat, and v2beta2.

import type { YAMLMap } from 'yaml';
import { lookup } from '../base/lookup.ts';
import { has, itemsAt, type Manifest, mapAt, rename, replace, setValue, take, textOf, valueAt } from './manifest.ts';

/** Fields of a metric by its type, and the target for each flat field. */
const CONTENTS: Readonly<Record<string, string>> = lookup({
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
});

const TARGETS = [
  { flat: 'targetAverageUtilization', type: 'Utilization', member: 'averageUtilization' },
  { flat: 'targetAverageValue', type: 'AverageValue', member: 'averageValue' },
  { flat: 'averageValue', type: 'AverageValue', member: 'averageValue' },
  { flat: 'targetValue', type: 'Value', member: 'value' },
] as const;

const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';

export function migrateAutoscalerV2beta1(manifest: Manifest): void {
  for (const metric of itemsAt(manifest.root, 'spec', 'metrics')) {
    const content = CONTENTS[textOf(metric, 'type')];
    const body = content === undefined ? undefined : mapAt(metric, content);
    if (body !== undefined) migrateMetric(manifest, body, textOf(metric, 'type'));
  }
  if (itemsAt(manifest.root, 'spec', 'metrics').length > 0) {
    manifest.note('spec.metrics: targets have a type and are in `target`, names of metrics in `metric`');
  }
  if (valueAt(manifest.root, 'metadata', 'annotations', BEHAVIOR) !== undefined) {
    manifest.note(`the annotation ${BEHAVIOR} is not read by autoscaling/v2: write spec.behavior instead`);
  }
}

function migrateMetric(manifest: Manifest, body: YAMLMap, type: string): void {
  // The flat form calls an object reference target.
  if (type === 'Object') rename(body, 'target', 'describedObject');
  const found = TARGETS.filter(({ flat }) => has(body, flat));
  const [first] = found;
  if (first !== undefined) {
    // Kubernetes uses the average if both are present.
    const values = found.map(({ flat, member }) => [member, valueAt(body, flat)] as const);
    const target = {
      type: first.type,
      ...Object.fromEntries(first.type === 'Utilization' ? values.slice(0, 1) : values),
    };
    replace(body, first.flat, { key: 'target', value: manifest.node(target) });
    for (const { flat } of found.slice(1)) take(body, flat);
  }
  if (!has(body, 'metricName')) return;
  const metric = manifest.node({ name: valueAt(body, 'metricName') }) as YAMLMap;
  const selector = take(body, 'metricSelector') ?? take(body, 'selector');
  if (selector !== undefined) setValue(metric, 'selector', selector);
  replace(body, 'metricName', { key: 'metric', value: metric });
}
