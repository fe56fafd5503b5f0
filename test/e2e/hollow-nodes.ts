// Nodes without machines: they are ready, renew their leases and report the status that a kubelet would report for
// every pod bound to them if its containers worked as intended. That is sufficient for tests of the API and of
// controllers.

import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  type KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
  type V1Node,
  type V1Pod,
} from '@kubernetes/client-node';
import { podStatus } from './hollow-pod.ts';
import type { HollowPrograms } from './hollow-programs.ts';

const leaseNamespace = 'kube-node-lease';
/** As a kubelet's. */
const leaseSeconds = 40;
const renewalMs = 10_000;
const again = { retryMs: 500, times: 20 };
const asStrategicMerge = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);

interface HollowNodesOptions {
  readonly config: KubeConfig;
  readonly names: readonly string[];
  /** Which containers of the pods are actually run. */
  readonly programs: HollowPrograms;
}

export class HollowNodes implements AsyncDisposable {
  readonly #core: CoreV1Api;
  readonly #leases: CoordinationV1Api;
  readonly #config: KubeConfig;
  readonly #names: readonly string[];
  readonly #programs: HollowPrograms;
  /** The last status of each pod, to avoid duplicate updates. */
  readonly #said = new Map<string, string>();
  #end: () => Promise<void> = async () => {};
  #ended = false;
  #addresses = 0;

  private constructor({ config, names, programs }: HollowNodesOptions) {
    this.#config = config;
    this.#programs = programs;
    this.#core = config.makeApiClient(CoreV1Api);
    this.#leases = config.makeApiClient(CoordinationV1Api);
    this.#names = names;
  }

  /** Registers nodes with these names and serves them until disposed. */
  static async start(options: HollowNodesOptions): Promise<HollowNodes> {
    const nodes = new HollowNodes(options);
    for (const name of options.names) await nodes.#register(name);
    const renewal = setInterval(() => nodes.#renewAll(), renewalMs);
    const informer = makeInformer<V1Pod>(nodes.#config, '/api/v1/pods', () => nodes.#core.listPodForAllNamespaces());
    const see = (pod: V1Pod) => void nodes.#see(pod);
    informer.on('add', see);
    informer.on('update', see);
    informer.on('delete', ({ metadata }) => {
      nodes.#said.delete(metadata!.uid!);
      void nodes.#programs.stop(metadata!.uid!);
    });
    informer.on('error', () => {
      if (!nodes.#ended) setTimeout(() => void informer.start(), again.retryMs);
    });
    nodes.#end = async () => {
      nodes.#ended = true;
      clearInterval(renewal);
      await informer.stop();
    };
    await informer.start();
    return nodes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #register(name: string): Promise<void> {
    await this.#core.createNode({ body: hollowNode(name, this.#names.indexOf(name)) });
    await this.#core.patchNodeStatus(
      { name, body: { status: nodeStatus(this.#names.indexOf(name), name) } },
      asStrategicMerge,
    );
    // The server creates the namespace of the leases shortly after its start.
    for (let left = again.times; ; left--) {
      const lease = this.#leases.createNamespacedLease({
        namespace: leaseNamespace,
        body: {
          metadata: { name },
          spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: now() },
        },
      });
      const made = await lease.then(
        () => true,
        (error) => (isGone(error) && left > 0 ? false : Promise.reject(error)),
      );
      if (made) return;
      await new Promise((resolve) => setTimeout(resolve, again.retryMs));
    }
  }

  #renewAll(): void {
    for (const name of this.#names) {
      const body = { spec: { renewTime: now() } };
      // The next renewal makes up for a failed one.
      this.#leases.patchNamespacedLease({ namespace: leaseNamespace, name, body }, asStrategicMerge).catch(() => {});
    }
  }

  /** Updates the status of a pod. Failures are retried with the pod's next event or after a while. */
  async #see(pod: V1Pod, left = again.times): Promise<void> {
    const { uid, name, namespace } = { name: '', namespace: '', uid: '', ...pod.metadata };
    const node = this.#names.indexOf(pod.spec?.nodeName ?? '');
    if (node === -1 || this.#ended) return;
    const podIP = this.#podAddress(pod, node);
    const status = podStatus(pod, { hostIP: hostAddress(node), podIP, at: new Date() });
    const deleting = pod.metadata?.deletionTimestamp !== undefined;
    const said = `${deleting} ${pod.metadata?.generation} ${pod.spec?.ephemeralContainers?.length} ${status?.phase} ${gates(pod)}`;
    if (this.#said.get(uid) === said) return;
    this.#said.set(uid, said);
    try {
      if (status !== undefined) {
        await this.#programs.run(pod, podIP);
        const body = { metadata: { uid }, status };
        await this.#core.patchNamespacedPodStatus({ namespace, name, body }, asStrategicMerge);
      }
      if (deleting) {
        const body = { gracePeriodSeconds: 0, preconditions: { uid } };
        await this.#core.deleteNamespacedPod({ namespace, name, body });
      }
    } catch (error) {
      if (isGone(error)) return;
      this.#said.delete(uid);
      if (left > 0) setTimeout(() => void this.#see(pod, left - 1), again.retryMs);
    }
  }

  #podAddress(pod: V1Pod, node: number): string {
    if (pod.spec?.hostNetwork === true) return hostAddress(node);
    const given = pod.status?.podIP;
    if (given !== undefined) return given;
    this.#addresses++;
    return `10.200.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`;
  }
}

/** A pod is ready only if all its readiness gates are true. */
function gates(pod: V1Pod): string {
  const named = new Set(pod.spec?.readinessGates?.map(({ conditionType }) => conditionType));
  const conditions = pod.status?.conditions?.filter(({ type }) => named.has(type)) ?? [];
  return conditions.map(({ type, status }) => `${type}=${status}`).join();
}

function isGone(error: unknown): boolean {
  return error instanceof ApiException && (error.code === 404 || error.code === 409);
}

function now(): V1MicroTime {
  return new V1MicroTime();
}

function hostAddress(node: number): string {
  return `10.199.0.${node + 1}`;
}

function hollowNode(name: string, index: number): V1Node {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  return { metadata: { name, labels }, spec: { podCIDR: `10.200.${index}.0/24` } };
}

function nodeStatus(index: number, name: string) {
  const resources = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110' };
  const at = new Date();
  const condition = (type: string, status: string, reason: string) => ({
    ...{ type, status, reason, message: reason, lastHeartbeatTime: at, lastTransitionTime: at },
  });
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address: hostAddress(index) },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      condition('Ready', 'True', 'KubeletReady'),
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
    ],
    nodeInfo: {
      ...{ architecture: 'amd64', operatingSystem: 'linux', osImage: 'hollow', kernelVersion: '6.1.0' },
      ...{ kubeletVersion: 'v1.34.4', kubeProxyVersion: '', containerRuntimeVersion: 'hollow://1.0' },
      ...{ machineID: '', systemUUID: '', bootID: '' },
    },
  };
}
