// Random autoscalers of Deployments whose pods use a known amount.

import { type Chooser, created, patched, type Step } from './step.ts';

/** An autoscaler looks every 15 s. */
const LATE = { quietMs: 18_000 };

function metrics(choose: Chooser): object[] {
  const target = choose<object>(
    { type: 'Utilization', averageUtilization: choose(20, 50, 90) },
    { type: 'AverageValue', averageValue: '40m' },
  );
  const cpu = { type: 'Resource', resource: { name: 'cpu', target } };
  const value = { type: 'AverageValue', averageValue: '1' };
  return choose<object[]>(
    [cpu],
    [cpu],
    [{ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'main', target } }],
    [cpu, { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } } }],
    [{ type: 'External', external: { metric: { name: 'queue' }, target: value } }],
    [cpu, { type: 'Pods', pods: { metric: { name: 'hits' }, target: value } }],
  );
}

function behavior(choose: Chooser): object {
  const policies = [{ type: choose('Pods', 'Percent'), value: choose(1, 100), periodSeconds: 15 }];
  return choose<object>(
    {},
    { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } },
    { behavior: { scaleUp: { selectPolicy: 'Disabled' }, scaleDown: { selectPolicy: 'Disabled' } } },
    { behavior: { scaleUp: { policies }, scaleDown: { stabilizationWindowSeconds: 0, policies } } },
  );
}

export function autoscalers(choose: Chooser): Step[] {
  const labels = { app: 'd' };
  const annotations = { 'keelson.dev/cpu-usage': choose('10m', '80m', '150m') };
  const resources = choose<object>({ requests: { cpu: '100m', memory: '64Mi' } }, { requests: { cpu: '100m' } }, {});
  const containers = [{ name: 'main', image: 'nginx', resources }];
  const template = { metadata: { labels, annotations }, spec: { containers, terminationGracePeriodSeconds: 1 } };
  const spec = { replicas: choose(0, 1, 2, 5), selector: { matchLabels: labels }, template };
  const path = 'apis/autoscaling/v2/NS/horizontalpodautoscalers';
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: choose('d', 'd', 'd', 'd', 'none') };
  const rest = { maxReplicas: choose(3, 6), metrics: metrics(choose), ...behavior(choose) };
  return [
    created('apis/apps/v1/NS/deployments', { name: 'd' }, { spec }),
    created(path, { name: 'h' }, { spec: { scaleTargetRef, ...choose({}, { minReplicas: 2 }), ...rest } }, LATE),
    ...choose<Step[]>([], [patched(`${path}/h`, { spec: { maxReplicas: 2, minReplicas: 1 } }, LATE)]),
  ];
}
