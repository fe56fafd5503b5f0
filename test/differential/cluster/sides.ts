// The two sides of the differential tester of clusters: Keelson with its own controllers and scheduler, and Keelson with
// Kubernetes' kube-controller-manager and kube-scheduler. The same simulated nodes run the pods of both.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOfCluster, selectedControllers } from '../../../src/controllers/controller-names.ts';
import { startTestServer, type TestServer } from '../../../src/testing.ts';
import { ended } from '../../processes.ts';
import { until } from '../../until.ts';
import { referenceFolder } from '../reference.ts';

export interface Side {
  readonly name: string;
  readonly server: TestServer;
}

export interface Sides extends AsyncDisposable {
  readonly ours: Side;
  readonly theirs: Side;
}

const NODES = 3;
const SERVICE_RANGES = '10.0.0.0/20,fd00:10::/112';
const OPTIONS = { nodes: NODES, serviceClusterIpRange: SERVICE_RANGES };
const PROGRAMS = ['kube-controller-manager', 'kube-scheduler'].map((name) => join(referenceFolder, 'bin', name));
/** What runs the pods and makes their volumes on both sides. */
const KEPT = new Set(['node-simulation', 'volume-provisioner', 'metrics-server']);

/** Why clusters cannot be compared here; undefined if they can. */
export function missingPrograms(): string | undefined {
  const missing = PROGRAMS.find((path) => !existsSync(path));
  return missing === undefined ? undefined : `no reference to ask: ${missing} is not there`;
}

export async function startSides(): Promise<Sides> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-clusters-'));
  const children: ChildProcess[] = [];
  const stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const ours = stack.use(await startTestServer({ ...OPTIONS, listen: true }));
  const names = [...selectedControllers('*', true)].filter((name) => isOfCluster(name) && !KEPT.has(name));
  const controllers = ['*', ...names.map((name) => `-${name}`)].join();
  const theirs = stack.use(await startTestServer({ ...OPTIONS, listen: true, controllers }));
  stack.defer(async () => {
    for (const child of children) await ended(child);
  });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, theirs.kubeconfigText);
  const run = (program: string, flags: readonly string[]) => {
    const log = openSync(join(folder, 'log'), 'a');
    const common = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
    const speed = ['--kube-api-qps=500', '--kube-api-burst=1000'];
    children.push(spawn(program, [...common, ...speed, ...flags], { stdio: ['ignore', log, log] }));
  };
  const own = [
    'garbage-collector',
    'namespace',
    'serviceaccount',
    'root-ca-certificate-publisher',
    'serviceaccount-token',
  ];
  const left = [...own, 'clusterrole-aggregation', 'service-lb', 'node-route', 'cloud-node-lifecycle'];
  const manager = [
    '--use-service-account-credentials=true',
    '--allocate-node-cidrs=true',
    '--pvclaimbinder-sync-period=1s',
    '--cluster-cidr=10.200.0.0/13',
    `--service-cluster-ip-range=${SERVICE_RANGES}`,
    `--controllers=*${left.map((name) => `,-${name}-controller`).join('')}`,
  ];
  run(PROGRAMS[0]!, manager);
  run(PROGRAMS[1]!, []);
  await until('the controllers run', async () => {
    const { body } = await theirs.request('GET', '/api/v1/nodes');
    const nodes = (body as { items: { spec: { podCIDR?: string; taints?: unknown } }[] }).items;
    return nodes.length === NODES && nodes.every(({ spec }) => spec.podCIDR !== undefined && spec.taints === undefined);
  });
  await ours.cluster.settled();
  const disposal = () => stack.disposeAsync();
  return {
    ours: { name: 'ours', server: ours },
    theirs: { name: 'theirs', server: theirs },
    [Symbol.asyncDispose]: disposal,
  };
}
