// Simulated nodes: a controller that does what the kubelets of nodes without machines would do, and what tests can make
// happen on them.

import type { Controller } from '../../controllers/controller.ts';
import type { Lease } from '../../resources/builtin/coordination/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf } from '../reconciler.ts';
import { mainContainersOf } from './container-kinds.ts';
import { type Ending, endingWith } from './container-plan.ts';
import { NodeLives } from './node-lives.ts';
import { PodLives } from './pod-lives.ts';
import { PodNeeds } from './pod-needs.ts';
import { Wakes } from './wakes.ts';

/** How a container is to fail. */
export interface Failure {
  /** 1 by default. */
  readonly exitCode?: number;
  /** All regular ones by default. */
  readonly container?: string;
  /** `Error` by default; such as `OOMKilled`. */
  readonly reason?: string;
}

/** What a test can make happen to pods. What follows has happened when the cluster has settled. */
export interface SimulatedPods {
  /** Containers end with a failure; those that do not run yet, as soon as they do. */
  fail(namespace: string, name: string, failure?: Failure): void;
  /** All regular containers end with success. */
  succeed(namespace: string, name: string): void;
  /** The containers of a pod are ready, or not, whatever its annotations say. */
  setReady(namespace: string, name: string, isReady: boolean): void;
  /** The node evicts a pod. */
  evict(namespace: string, name: string, message?: string): void;
}

/** What a test can make happen to nodes. */
export interface SimulatedMachines {
  /** The node stops: it renews no lease and reports nothing, and nothing happens to its pods. */
  stop(name: string): void;
  /** A node that was stopped starts again, with its pods as they were. */
  start(name: string): void;
  /** A condition of a node has this status from now on; MemoryPressure and the like make it evict pods. */
  setCondition(name: string, type: string, status: 'True' | 'False' | 'Unknown'): void;
}

export interface SimulatedNodes extends Controller {
  readonly pods: SimulatedPods;
  readonly nodes: SimulatedMachines;
}

export function simulatedNodes(context: ClusterContext): SimulatedNodes {
  return new NodeSimulation(context);
}

class NodeSimulation implements SimulatedNodes {
  readonly name = 'node-simulation';
  readonly #context: ClusterContext;
  readonly #wakes: Wakes;
  #nodeLives: NodeLives | undefined;
  #podLives: PodLives | undefined;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#wakes = new Wakes(context.clock);
  }

  start(): Promise<void> {
    return this.#context.activity.during(this.#start());
  }

  async stop(): Promise<void> {
    this.#wakes.close();
    await Promise.all([this.#nodeLives?.stop(), this.#podLives?.stop()]);
    this.#wakes.close();
  }

  readonly pods: SimulatedPods = {
    fail: (namespace, name, { exitCode = 1, container, reason = 'Error' } = {}) =>
      this.#end({ namespace, name, container }, { exitCode, reason }),
    succeed: (namespace, name) => this.#end({ namespace, name }, endingWith(0)),
    setReady: (namespace, name, isReady) => {
      const { lives, run, pod } = this.#pod(namespace, name);
      run.readiness = isReady;
      lives.touch(keyOf(pod));
    },
    evict: (namespace, name, message = 'The node was low on resource: memory. ') => {
      const { lives, pod } = this.#pod(namespace, name);
      lives.evict(pod, message);
    },
  };

  readonly nodes: SimulatedMachines = {
    stop: (name) => {
      this.#node(name).stopped = true;
      this.#nodeLives?.touch(name);
    },
    start: (name) => {
      const node = this.#node(name);
      if (node.stopped) Object.assign(node, { stopped: false, reported: false, leaseDueMs: 0 });
      this.#nodeLives?.touch(name);
    },
    setCondition: (name, type, status) => {
      this.#node(name).conditions.set(type, status);
      this.#nodeLives?.touch(name);
    },
  };

  async #start(): Promise<void> {
    const { informers } = this.#context;
    const context = this.#context;
    const wakes = this.#wakes;
    const pods = await informers.open<Pod>('', 'pods');
    const nodes = await informers.open<Node>('', 'nodes');
    const leases = await informers.open<Lease>('coordination.k8s.io', 'leases');
    const parts: { needs?: PodNeeds; nodes?: NodeLives } = {};
    const podLives = new PodLives({ context, pods, wakes, nodes: () => parts.nodes!, needs: () => parts.needs! });
    const follower = {
      changed: (name: string) => podLives.nodeChanged(name),
      starved: podLives.starved.bind(podLives),
    };
    parts.nodes = new NodeLives({ context, nodes, leases, wakes, follower });
    parts.needs = await PodNeeds.open(context, (key) => podLives.touch(key));
    this.#podLives = podLives;
    this.#nodeLives = parts.nodes;
    parts.nodes.start();
    podLives.start();
  }

  #end(
    {
      namespace,
      name,
      container,
    }: { readonly namespace: string; readonly name: string; readonly container?: string | undefined },
    ending: Ending,
  ): void {
    const { lives, run, pod } = this.#pod(namespace, name);
    for (const { name: each } of mainContainersOf(pod)) {
      if (container !== undefined && container !== each) continue;
      const attempt = run.containers.get(each)?.attempt;
      if (attempt === undefined || attempt.ended !== undefined) run.orders.set(each, ending);
      else Object.assign(attempt, { endsMs: this.#context.clock.now(), ending });
    }
    lives.touch(keyOf(pod));
  }

  #pod(namespace: string, name: string) {
    const found = this.#podLives?.runOf(`${namespace}/${name}`);
    if (found === undefined || this.#podLives === undefined) {
      throw new Error(`pod ${namespace}/${name} is not on a simulated node`);
    }
    return { lives: this.#podLives, ...found };
  }

  #node(name: string) {
    const node = this.#nodeLives?.get(name);
    if (node === undefined) throw new Error(`node ${name} is not simulated`);
    return node;
  }
}
