// Random changes to nodes and what lives on them: drains, taints, lost nodes, preemption. The nodes are made for the
// sequence, and only its own pods may be there.

import { type Chooser, created, patched, removed, type Step } from './step.ts';

const NODES = 'api/v1/nodes';
const PODS = 'api/v1/NS/pods';
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction' };
/** A lost node is noticed after 50 s, which several seconds are added to on the way. */
const LOST_MS = 70_000;

function node(choose: Chooser, letter: string, zone: string): Step {
  const annotations = { 'keelson.dev/simulated': 'true' };
  const labels = { of: '$NS', 'topology.kubernetes.io/zone': zone, 'kubernetes.io/hostname': `$NS-${letter}` };
  const taints = [{ key: 'own', value: '$NS', effect: choose('NoSchedule', 'NoExecute') }];
  const amounts = { cpu: '1', memory: '2Gi', pods: '6', 'ephemeral-storage': '10Gi' };
  const status = { capacity: amounts, allocatable: amounts };
  return created(NODES, { name: `$NS-${letter}`, annotations, labels }, { spec: { taints }, status });
}

/** What makes pods come to these nodes and to no other. */
function placed(choose: Chooser): object {
  const gone = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 };
  const tolerations = [
    { key: 'own', operator: 'Exists' },
    { ...gone },
    { ...gone, key: 'node.kubernetes.io/not-ready' },
  ];
  return { nodeSelector: { of: '$NS' }, tolerations, terminationGracePeriodSeconds: choose(0, 1) };
}

function workload(choose: Chooser): Step {
  const labels = { app: 'd' };
  const labelSelector = { matchLabels: labels };
  const topologyKey = choose('topology.kubernetes.io/zone', 'kubernetes.io/hostname');
  const spread = {
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
  };
  const containers = [{ name: 'main', image: 'nginx', resources: { requests: { cpu: choose('100m', '300m') } } }];
  const spec = { containers, ...placed(choose), ...choose<object>({}, spread) };
  const template = { metadata: { labels }, spec };
  const selector = { matchLabels: labels };
  return choose(
    created('apis/apps/v1/NS/deployments', { name: 'd' }, { spec: { replicas: choose(2, 3, 6), selector, template } }),
    created('apis/apps/v1/NS/statefulsets', { name: 's' }, { spec: { replicas: choose(2, 3), selector, template } }),
    created('apis/apps/v1/NS/daemonsets', { name: 'x' }, { spec: { selector, template } }),
  );
}

/** Important pods that need the place of others. */
function preemption(choose: Chooser): Step[] {
  const classes = ['low', 'high'].map((name, index) =>
    created(
      'apis/scheduling.k8s.io/v1/priorityclasses',
      { name: `$NS-${name}` },
      { value: 10 + index, ...(name === 'high' ? choose<object>({}, {}, { preemptionPolicy: 'Never' }) : {}) },
    ),
  );
  const pod = (name: string, priority: string, cpu: string) => {
    const containers = [{ name: 'main', image: 'nginx', resources: { requests: { cpu } } }];
    const spec = { containers, priorityClassName: `$NS-${priority}`, ...placed(choose) };
    return created(PODS, { name, labels: { app: priority } }, { spec });
  };
  const late = { quietMs: 4_000 };
  return [
    ...classes,
    ...['a', 'b', 'c'].map((name) => pod(name, 'low', choose('400m', '500m'))),
    ...choose<Step[]>([], [budget(choose, 'low')]),
    { ...pod('d', 'high', choose('500m', '900m', '2')), ...late },
    ...choose<Step[]>([], [{ ...pod('e', 'high', '100m'), ...late }]),
  ];
}

function budget(choose: Chooser, app: string): Step {
  const spec = { selector: { matchLabels: { app } }, minAvailable: choose(1, 2, 3) };
  return created('apis/policy/v1/NS/poddisruptionbudgets', { name: 'b' }, { spec });
}

function change(choose: Chooser): Step {
  const own = { key: 'own', value: '$NS', effect: 'NoSchedule' };
  const path = `${NODES}/$NS-a`;
  const late = { quietMs: 4_000 };
  return choose<Step>(
    patched(path, { spec: { unschedulable: true } }),
    patched(path, { spec: { taints: [own, { key: 'away', effect: choose('NoExecute', 'NoSchedule') }] } }, late),
    patched(path, { metadata: { labels: { of: 'others' } } }),
    patched(
      path,
      { metadata: { annotations: { 'keelson.dev/pressure': choose('memory', 'disk', 'pid') } } },
      { quietMs: 12_000 },
    ),
    patched(path, { metadata: { annotations: { 'keelson.dev/lost': 'true' } } }, { quietMs: LOST_MS }),
    removed(path),
    created(`${PODS}/s-0/eviction`, { name: 's-0' }, EVICTION, late),
    removed(`${PODS}/s-1`, { gracePeriodSeconds: 0 }),
    patched('apis/apps/v1/NS/deployments/d', { spec: { replicas: choose(1, 9) } }),
  );
}

/**
 * Nodes of its own, a workload on them, and what happens to both. The workload begins on one node, and others come later:
 * which of several equal nodes a pod gets is random.
 */
export function nodeChanges(choose: Chooser): Step[] {
  const [first, ...others] = ['a', 'b', 'c'].map((letter, index) => node(choose, letter, `zone-${index % 2}`));
  const lived = () => [
    ...choose<Step[]>([], [budget(choose, 'd')]),
    workload(choose),
    ...others.slice(0, choose(1, 2)),
    ...Array.from({ length: choose(1, 2) }, () => change(choose)),
  ];
  return [first!, ...choose(preemption, lived, lived)(choose)];
}
