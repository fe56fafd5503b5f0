// Simulated nodes: a controller that does what the kubelets of nodes without machines would do, and what tests can make
// happen on them.

import { hostAndPort } from '../../base/host-port.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Lease } from '../../resources/builtin/coordination/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf } from '../reconciler.ts';
import { Stages } from '../stages/stages.ts';
import { mainContainersOf } from './container-kinds.ts';
import { type Ending, endingWith } from './container-plan.ts';
import { kubeletAnswer } from './kubelet-answers.ts';
import { NodeLives } from './node-lives.ts';
import { openPort } from './open-ports.ts';
import { PodLives } from './pod-lives.ts';
import { PodNeeds } from './pod-needs.ts';
import {
  type KubeletAnswer,
  KubeletDown,
  type KubeletRequest,
  type PodRequest,
  type SimulatedMachines,
  type SimulatedPods,
  type Simulation,
} from './simulation.ts';
import { Wakes } from './wakes.ts';

interface SimulatedNodes extends Controller, Simulation {}

export function simulatedNodes(context: ClusterContext): SimulatedNodes {
  return new NodeSimulation(context);
}

class NodeSimulation implements SimulatedNodes {
  readonly name = 'node-simulation';
  readonly #context: ClusterContext;
  readonly #wakes: Wakes;
  #nodeLives: NodeLives | undefined;
  #podLives: PodLives | undefined;
  #stages: Stages | undefined;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#wakes = new Wakes(context.clock);
  }

  start(): Promise<void> {
    return this.#context.activity.during(this.#start());
  }

  async stop(): Promise<void> {
    this.#wakes.close();
    if (this.#context.simulated.current === this) this.#context.simulated.current = undefined;
    await Promise.all([this.#nodeLives?.stop(), this.#podLives?.stop(), this.#stages?.stop()]);
    this.#wakes.close();
  }

  answer(request: KubeletRequest): KubeletAnswer | undefined {
    const name = this.#nodeLives?.nameOf(request.host);
    if (name === undefined || this.#nodeLives === undefined || this.#podLives === undefined) return undefined;
    const up = this.#nodeLives.up(name);
    if (up === undefined) throw new KubeletDown(`dial tcp ${request.host}: connect: connection refused`);
    return kubeletAnswer(this.#context, this.#podLives.viewOf(up), request);
  }

  answerOfPod({ host, port, ...request }: PodRequest): KubeletAnswer | undefined {
    const found = this.#podLives?.at(host) ?? [];
    if (found.length === 0) return undefined;
    const up = found.filter(({ pod }) => this.#nodeLives?.up(pod.spec?.nodeName ?? '') !== undefined);
    const open = up.map((each) => openPort(each, port)).find((each) => each !== undefined);
    if (open === undefined)
      throw new KubeletDown(`dial tcp ${hostAndPort({ host, port })}: connect: connection refused`);
    return open(request);
  }

  readonly pods: SimulatedPods = {
    fail: (namespace, name, { exitCode = 1, container, reason = 'Error' } = {}) =>
      this.#end({ namespace, name, container }, { exitCode, reason }),
    succeed: (namespace, name) => this.#end({ namespace, name }, endingWith(0)),
    setReady: (namespace, name, isReady) => {
      const { lives, run, pod } = this.#pod(namespace, name);
      run.readiness = isReady;
      for (const { spec, fieldPath } of isReady ? [] : mainContainersOf(pod)) {
        if (spec.readinessProbe === undefined) continue;
        const { events } = this.#node(pod.spec?.nodeName ?? '');
        events.warn({ ...pod, fieldPath }, 'Unhealthy', 'Readiness probe failed: the container is not ready');
      }
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
      if (this.#stages?.drives('nodes') === true) throw new Error(`node ${name} is driven by Stages`);
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
    const stages = new Stages({
      ...{ context, pods, nodes, wakes, nodeLives: () => parts.nodes!, startedMs: context.clock.now() },
      changed: (kind) => (kind === 'pods' ? podLives : parts.nodes!).touchAll(),
    });
    const podLives = new PodLives({
      ...{ context, pods, wakes, nodes: () => parts.nodes!, needs: () => parts.needs! },
      isDriven: () => stages.drives('pods'),
    });
    const follower = {
      changed: (name: string) => {
        podLives.nodeChanged(name);
        stages.nodeChanged(name);
      },
      starved: podLives.starved.bind(podLives),
    };
    const isDriven = () => stages.drives('nodes');
    parts.nodes = new NodeLives({ context, nodes, leases, wakes, follower, isDriven });
    parts.needs = await PodNeeds.open(context, (key) => podLives.touch(key));
    this.#podLives = podLives;
    this.#nodeLives = parts.nodes;
    this.#stages = stages;
    await stages.open();
    context.simulated.current = this;
    parts.nodes.start();
    podLives.start();
    stages.start();
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
      const why = this.#stages?.drives('pods') === true ? 'driven by Stages' : 'not on a simulated node';
      throw new Error(`pod ${namespace}/${name} is ${why}`);
    }
    return { lives: this.#podLives, ...found };
  }

  #node(name: string) {
    const node = this.#nodeLives?.get(name);
    if (node === undefined) throw new Error(`node ${name} is not simulated`);
    return node;
  }
}
