// Life of the pods on simulated nodes: each is looked at when it or something it needs has changed and when something is
// due, and its status and events are written as its kubelet would.

import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { WorkQueue } from '../../controllers/work-queue.ts';
import type { Pod, PodStatus } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Index, Informer } from '../informer.ts';
import { hasEnded } from '../pod-facts.ts';
import { keyOf, splitKey } from '../reconciler.ts';
import { type Delays, noDelays, realDelays } from './delays.ts';
import type { KubeletView } from './kubelet-answers.ts';
import { LivesByNode } from './lives-by-node.ts';
import { LogFollowers } from './log-followers.ts';
import type { NodeLives } from './node-lives.ts';
import type { Pressure } from './node-script.ts';
import { rejectionOf } from './pod-admission.ts';
import { evict, nextToEvict, STARVED } from './pod-eviction.ts';
import { livePod } from './pod-life.ts';
import type { PodNeeds } from './pod-needs.ts';
import { allocateAll, resizePod } from './pod-resize.ts';
import { newPodRun, type PodRun, restoredPodRun } from './pod-run.ts';
import { podScript } from './pod-script.ts';
import { podStatus, rejectedStatus } from './pod-status.ts';
import type { PodWorld } from './pod-world.ts';
import { Report } from './report.ts';
import type { UpNode } from './simulated-node.ts';
import type { Wakes } from './wakes.ts';

/** A pod as its node knows it. */
interface PodLife {
  readonly run: PodRun;
  readonly nodeName: string;
  /** Why the node did not admit it. */
  rejection: { readonly reason: string; readonly message: string } | undefined;
  /** The version after the last look. */
  version: string | undefined;
  /** Whether it is to be looked at even if it has not changed. */
  touched: boolean;
  /** When something is due. */
  nextMs: number;
  /** Whether it has been deleted, and only finalizers keep it. */
  gone: boolean;
  /** The faults of its annotations of which events have told. */
  toldFaults: string;
}

interface PodLivesNeeds {
  readonly context: ClusterContext;
  readonly pods: Informer<Pod>;
  readonly wakes: Wakes;
  /** Known after this is made. */
  readonly nodes: () => NodeLives;
  readonly needs: () => PodNeeds;
  /** Whether something else drives pods, and nodes leave them alone. */
  readonly isDriven: () => boolean;
}

export class PodLives {
  readonly #needs: PodLivesNeeds;
  readonly #byNode: Index<Pod>;
  readonly #byAddress: Index<Pod>;
  readonly #queue: WorkQueue<string>;
  readonly #delays: Delays;
  readonly #lives = new Map<string, PodLife>();
  readonly #onNodes: LivesByNode;
  readonly #followers = new LogFollowers();

  constructor(needs: PodLivesNeeds) {
    this.#needs = needs;
    const { context, pods } = needs;
    this.#byAddress = pods.index(({ status }) => (status?.podIPs ?? []).flatMap(({ ip = '' }) => ip));
    this.#onNodes = new LivesByNode(pods);
    this.#byNode = pods.index(({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    this.#delays = context.settings.realisticDelays ? realDelays(context.random) : noDelays;
    this.#queue = new WorkQueue<string>({
      name: 'pod-simulation',
      context,
      concurrency: limits.controllerWrites,
      work: (key) => this.#look(key),
    });
  }

  start(): void {
    const { pods } = this.#needs;
    pods.follow({
      changed: (pod) => {
        if (pod.spec?.nodeName) this.#queue.add(keyOf(pod));
      },
      removed: (pod) => {
        const key = keyOf(pod);
        const life = this.#lives.get(key);
        if (life !== undefined) this.#onNodes.remove(key, life);
        if (pod.spec?.nodeName) this.#queue.add(key);
      },
    });
    this.#queue.start();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** Looks at a pod even if it has not changed. */
  touch(key: string): void {
    const life = this.#lives.get(key);
    if (life !== undefined) life.touched = true;
    this.#queue.add(key);
  }

  /** Looks at all pods again. */
  touchAll(): void {
    for (const pod of this.#needs.pods.list()) if (pod.spec?.nodeName) this.touch(keyOf(pod));
  }

  /** Looks at all pods of a node. */
  nodeChanged(nodeName: string): void {
    for (const pod of this.#byNode.get(nodeName)) this.touch(keyOf(pod));
  }

  /** Evicts a pod of a node that is short of something. */
  starved(nodeName: string, pressure: Pressure): void {
    const up = this.#needs.nodes().up(nodeName);
    if (up === undefined) return;
    const { events, reference } = up.life;
    events.warn(reference, 'EvictionThresholdMet', `Attempting to reclaim ${STARVED[pressure]}`);
    const pod = nextToEvict(this.#onNodes.admittedPods(nodeName), pressure);
    if (pod !== undefined) this.evict(pod, `The node was low on resource: ${STARVED[pressure]}. `);
  }

  /** Evicts a pod. */
  evict(pod: Pod, message: string): void {
    const { context, nodes } = this.#needs;
    const life = this.#lives.get(keyOf(pod));
    if (life === undefined || life.run.stopping !== undefined || life.run.ended) return;
    nodes().get(life.nodeName)?.events.warn(pod, 'Evicted', message);
    evict(life.run, message, context.clock.now());
    this.touch(keyOf(pod));
  }

  /** The state of a pod that lives on a simulated node; undefined for any other. */
  runOf(key: string): { readonly run: PodRun; readonly pod: Pod } | undefined {
    const { namespace, name } = splitKey(key);
    const pod = this.#needs.pods.get(namespace, name);
    const run = this.#lives.get(key)?.run;
    return pod === undefined || run === undefined || run.uid !== pod.metadata.uid ? undefined : { run, pod };
  }

  /** The pods that have an address: those in the network of their node share one. */
  at(address: string): { readonly run: PodRun; readonly pod: Pod }[] {
    return this.#byAddress.get(address).flatMap((pod) => this.#shown(pod) ?? []);
  }

  /** What a kubelet shows of a pod: its state, or what can be told from the status that something else has written. */
  #shown(pod: Pod): { readonly run: PodRun; readonly pod: Pod } | undefined {
    const { isDriven, context, nodes } = this.#needs;
    if (!isDriven()) return this.runOf(keyOf(pod));
    const up = nodes().up(pod.spec?.nodeName ?? '');
    if (up === undefined) return undefined;
    return { pod, run: restoredPodRun(pod, podScript(pod, up.node.metadata.annotations), context.clock.now()) };
  }

  /** What the kubelet of a node knows of its pods. */
  viewOf({ life, node }: UpNode): KubeletView {
    const pods = () => this.#byNode.get(life.name).flatMap((pod) => this.#shown(pod) ?? []);
    return {
      nodeName: life.name,
      nodeStartedMs: Date.parse(node.metadata.creationTimestamp ?? ''),
      pods,
      pod: (namespace, name) => {
        const pod = this.#needs.pods.get(namespace, name);
        const found = pod && this.#shown(pod);
        return found?.pod.spec?.nodeName === life.name ? found : undefined;
      },
      changed: (namespace, name, signal) => this.#followers.next(`${namespace}/${name}`, signal),
    };
  }

  async #look(key: string): Promise<undefined> {
    const { context, pods, nodes, isDriven } = this.#needs;
    const { namespace, name } = splitKey(key);
    const pod = pods.get(namespace, name);
    const nodeName = pod?.spec?.nodeName ?? '';
    if (pod === undefined || isDriven() || nodes().get(nodeName) === undefined) return this.#forget(key);
    const up = nodes().up(nodeName);
    const nowMs = context.clock.now();
    const known = this.#lives.get(key);
    const isSeen = known?.touched === false && known.version === pod.metadata.resourceVersion && nowMs < known.nextMs;
    if (up === undefined || isSeen) return undefined;
    const report = new Report(up.life.events, pod);
    const life = this.#lifeOf(key, { pod, up, report });
    if (life.gone) return undefined;
    life.touched = false;
    life.nextMs = this.#live(key, life, { pod, up, report });
    life.version = pod.metadata.resourceVersion;
    try {
      const { written, isUnseen } = await this.#write(pod, life, up);
      report.send();
      // What another one wrote in between, such as a deletion, is in the version that was written, and needs a look.
      if (written !== undefined && !isUnseen) life.version = written.metadata.resourceVersion;
      await this.#afterLook(key, life, { pod: written ?? pod, up });
    } catch (error) {
      // It is tried again, although nothing has changed since.
      life.touched = true;
      throw error;
    } finally {
      report.send();
    }
    this.#followers.tell(key);
    return undefined;
  }

  /** Lets a pod live. Returns when something is due next. */
  #live(key: string, { run, nodeName }: PodLife, { pod, up, report }: Look): number {
    if (run.ended) return Number.POSITIVE_INFINITY;
    const world = this.#world(key, run, { pod, up, report });
    const others = () => this.#onNodes.admitted(nodeName, key);
    const resizedMs = run.stopping === undefined ? resizePod(run, world, { node: up.node, others }) : 0;
    const nextMs = livePod(run, world);
    this.#assignAddress(run, { pod, up, report });
    return resizedMs > world.nowMs ? Math.min(nextMs, resizedMs) : nextMs;
  }

  async #afterLook(key: string, life: PodLife, { pod, up }: Omit<Look, 'report'>): Promise<void> {
    const { pods, wakes } = this.#needs;
    const { run, nextMs } = life;
    if (run.ended) this.#releaseAddress(run, up);
    if (run.ended && pod.metadata.deletionTimestamp !== undefined) {
      await up.life.objects.delete(pods, pod, { gracePeriodSeconds: 0 });
      life.gone = true;
    }
    const wakeKey = `pod/${key}`;
    if (nextMs < Number.POSITIVE_INFINITY) wakes.set(wakeKey, nextMs, () => this.#queue.add(key));
    else wakes.cancel(wakeKey);
  }

  /** Writes the status if it says anything new, and tells whether the pod had been changed since it was looked at. */
  async #write(pod: Pod, { run, rejection }: PodLife, up: UpNode): Promise<{ written?: Pod; isUnseen: boolean }> {
    const { context, pods } = this.#needs;
    const facts = { nowMs: context.clock.now(), minor: context.catalog.minor, hostAddress: up.life.address };
    const statusOf = (of: Pod): PodStatus =>
      rejection === undefined ? podStatus(of, run, facts) : rejectedStatus(of, rejection, facts);
    if (equalJson(statusOf(pod), pod.status)) return { isUnseen: false };
    let isUnseen = false;
    const written = await up.life.objects.updateStatus<Pod>(pods, pod, (draft) => {
      isUnseen = draft.metadata.resourceVersion !== pod.metadata.resourceVersion;
      const next = statusOf(draft as Pod);
      if (equalJson(next, draft.status)) return false;
      draft.status = copyJson(next) as Draft<PodStatus>;
      return true;
    });
    return written === undefined ? { isUnseen } : { written, isUnseen };
  }

  #lifeOf(key: string, { pod, up, report }: Look): PodLife {
    const known = this.#lives.get(key);
    if (known?.run.uid === pod.metadata.uid && known !== undefined) return known;
    if (known !== undefined) this.#forget(key);
    const nowMs = this.#needs.context.clock.now();
    const isNew = pod.status?.startTime === undefined && !hasEnded(pod);
    const run = isNew
      ? newPodRun(pod.metadata.uid ?? '', nowMs)
      : restoredPodRun(pod, podScript(pod, up.node.metadata.annotations), nowMs);
    const nodeName = up.life.name;
    const life: PodLife = {
      ...{
        run,
        nodeName,
        rejection: undefined,
        version: undefined,
        touched: true,
        nextMs: 0,
        gone: false,
        toldFaults: '',
      },
    };
    if (run.address !== undefined) up.life.addresses(up.node).take(run.address);
    if (isNew && pod.metadata.deletionTimestamp === undefined) {
      life.rejection = rejectionOf(pod, up.node, this.#onNodes.admitted(nodeName, key));
    }
    if (life.rejection !== undefined) {
      run.ended = true;
      report.warn(undefined, life.rejection.reason, life.rejection.message);
    }
    allocateAll(run, pod);
    this.#lives.set(key, life);
    this.#onNodes.add(key, life);
    return life;
  }

  #world(key: string, run: PodRun, { pod, up, report }: Look): PodWorld {
    const { context, needs, nodes } = this.#needs;
    const script = podScript(pod, up.node.metadata.annotations);
    const life = this.#lives.get(key);
    const faults = script.faults.join('\n');
    if (life !== undefined && faults !== life.toldFaults) {
      life.toldFaults = faults;
      for (const fault of script.faults) report.warn(undefined, 'InvalidSimulation', fault);
    }
    const { images } = up.life;
    return {
      ...{ pod, script, nowMs: context.clock.now(), delays: this.#delays, orders: run.orders },
      images: {
        has: (image) => images.has(image),
        add: (image) => {
          if (images.add(image)) nodes().imagesChanged(up.life);
        },
      },
      newId: () => `${context.random.uuid()}${context.random.uuid()}`.replaceAll('-', ''),
      missingConfig: (container) => needs().missingConfig(pod, key, container),
      missingVolumes: () => needs().missingVolumes(pod, key),
      tell: (about, reason, message) => report.tell(about, reason, message),
      warn: (about, reason, message) => report.warn(about, reason, message),
    };
  }

  #assignAddress(run: PodRun, { pod, up, report }: Look): void {
    const wasThere = run.sandbox || run.containers.values().some(({ attempt }) => attempt !== undefined);
    if (run.address !== undefined || !wasThere) return;
    const isOfHost = pod.spec?.hostNetwork === true;
    run.address = isOfHost ? up.life.address : up.life.addresses(up.node).assign();
    if (run.address === undefined) report.warn(undefined, 'FailedCreatePodSandBox', NO_ADDRESS);
  }

  #releaseAddress({ address }: PodRun, { life, node }: UpNode): void {
    if (address !== undefined && address !== life.address) life.addresses(node).release(address);
  }

  #forget(key: string): undefined {
    const life = this.#lives.get(key);
    this.#followers.tell(key);
    if (life === undefined) return undefined;
    const up = this.#needs.nodes().up(life.nodeName);
    if (up !== undefined && !life.run.ended) this.#releaseAddress(life.run, up);
    this.#lives.delete(key);
    this.#onNodes.remove(key, life);
    this.#needs.wakes.cancel(`pod/${key}`);
    this.#needs.needs().forget(key);
    return undefined;
  }
}

/** A look at a pod on a node that is up, and what it has to report. */
interface Look {
  readonly pod: Pod;
  readonly up: UpNode;
  readonly report: Report;
}

const NO_ADDRESS = 'Failed to create pod sandbox: no IP addresses are available in the range of the node';
