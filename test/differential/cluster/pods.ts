// Random pods that nothing owns: what the scheduler makes of their wishes, and of changes to them.

import { type Chooser, created, patched, removed, type Step } from './step.ts';

const PODS = 'api/v1/NS/pods';
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction' };

function wishes(choose: Chooser): object {
  const labelSelector = { matchLabels: { app: 'p' } };
  const topologyKey = 'kubernetes.io/hostname';
  const required = (kind: 'podAffinity' | 'podAntiAffinity') => ({
    affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey }] } },
  });
  const nodeSelectorTerms = [
    { matchExpressions: [{ key: topologyKey, operator: choose('In', 'NotIn'), values: ['node-1'] }] },
  ];
  return choose<object>(
    {},
    required('podAffinity'),
    required('podAntiAffinity'),
    { nodeSelector: { disk: 'none' } },
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } },
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] },
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'none', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
      ],
    },
    { schedulerName: 'another' },
    { priorityClassName: choose('system-node-critical', 'none') },
    { nodeName: choose('node-1', 'node-9') },
    { overhead: {}, resources: { requests: { cpu: choose('1', '99') } } },
    { hostNetwork: true },
  );
}

function pod(choose: Chooser, name: string, wanted: object): Step {
  const requests = choose<object>({}, { cpu: '100m' }, { cpu: '20' }, { 'example.com/foo': '1' });
  const limits = 'example.com/foo' in requests ? { limits: requests } : {};
  const ports = 'hostNetwork' in wanted ? [] : choose<object[]>([], [{ containerPort: 80, hostPort: 8080 }]);
  const main = { name: 'main', image: 'nginx', resources: { requests, ...limits }, ports };
  const init = { name: 'first', image: 'busybox', command: choose(['true'], ['false']) };
  const sidecar = { name: 'beside', image: 'busybox', restartPolicy: 'Always' };
  const spec = {
    ...{ containers: [main], terminationGracePeriodSeconds: 1 },
    ...choose<object>({}, {}, { initContainers: choose([init], [sidecar], [init, sidecar]) }),
    ...choose<object>({}, {}, { schedulingGates: [{ name: 'example.com/wait' }] }),
    ...choose<object>({}, { restartPolicy: choose('Never', 'OnFailure') }),
    ...wanted,
  };
  return created(PODS, { name, labels: { app: 'p' } }, { spec });
}

export function pods(choose: Chooser): Step[] {
  const wanted = wishes(choose);
  const names = ['a', 'b', 'c', 'd'].slice(0, choose(1, 2, 4));
  const resized = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: choose('50m', '30') } } }] } };
  const change = () =>
    choose(
      patched(`${PODS}/a`, { spec: { schedulingGates: [] } }),
      patched(`${PODS}/a`, { metadata: { labels: { app: 'other' } } }),
      patched(`${PODS}/a/resize`, resized),
      removed(`${PODS}/a`),
      created(`${PODS}/a/eviction`, { name: 'a' }, EVICTION),
    );
  return [...names.map((name) => pod(choose, name, wanted)), ...Array.from({ length: choose(1, 2) }, change)];
}
