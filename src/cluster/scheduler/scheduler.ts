// The scheduler of the cluster: takes one pod after the other from its queue, chooses a node for it by the rules of
// kube-scheduler's default profile, and binds it there; or says why it fits nowhere, and makes room for it if it may.

import { hostname } from 'node:os';
import { messageOf } from '../../base/error-message.ts';
import type { ShortTurns, Turn } from '../../base/short-turns.ts';
import { inTurns } from '../../base/steps.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informer } from '../informer.ts';
import { SeriesEvents } from '../series-events.ts';
import { ClusterView } from './cluster-view.ts';
import { type DeviceSources, openDevices } from './devices/device-reservations.ts';
import { podResourceClaims } from './devices/pod-resource-claims.ts';
import type { Reservation } from './filter.ts';
import { eventNote } from './messages.ts';
import { Nominations } from './nominations.ts';
import { isPlaced, type Placement, placing, type Unplaced } from './placing.ts';
import { type PodInfo, podInfo } from './pod-info.ts';
import { preempting } from './preemption.ts';
import { type QueuedPod, SchedulingQueue } from './queue.ts';
import { SCHEDULER_USER, SchedulerWrites, USER_AGENT } from './scheduler-writes.ts';
import { Snapshot } from './snapshot.ts';
import { openSources, type Sources } from './sources.ts';
import type { Candidate } from './victims.ts';
import { openVolumes, type VolumeReservations } from './volumes/volume-reservations.ts';
import { WriteSlots } from './write-slots.ts';

const NAME = 'kube-scheduler';
/** The component in events. */
const COMPONENT = 'default-scheduler';
/** What DynamicResources says of a pod that was rejected before it has been asked. */
const NOT_ASKED = 'not found';
const NO_CLAIMS = 'no new claims to deallocate';

export function scheduler(context: ClusterContext): Controller {
  const parts = new Scheduler(context);
  return {
    name: NAME,
    start: () => context.activity.during(parts.start()),
    stop: () => parts.stop(),
  };
}

/** What is there once the scheduler has started. */
interface Opened {
  readonly pods: Informer<Pod>;
  readonly sources: Sources;
  readonly writes: SchedulerWrites;
  readonly volumes: VolumeReservations;
  readonly devices: DeviceSources | undefined;
}

/** A pod on its way to a node. */
interface Binding {
  readonly info: PodInfo;
  readonly node: string;
  readonly reservations: readonly Reservation[];
}

class Scheduler {
  readonly taskName = 'scheduler';
  readonly #context: ClusterContext;
  readonly #turns: ShortTurns;
  readonly #snapshot = new Snapshot();
  readonly #nominations = new Nominations();
  readonly #queue: SchedulingQueue;
  readonly #view: ClusterView;
  readonly #events: SeriesEvents;
  readonly #slots = new WriteSlots();
  readonly #cursor = { at: 0 };
  #opened: Opened | undefined;
  /** Ends when the queue is empty; undefined if nothing is done. */
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#turns = context.writes.registry.turns;
    const lacksClaims = (info: PodInfo) => this.#lacksClaims(info);
    this.#queue = new SchedulingQueue(context.clock, () => this.#wake(), lacksClaims);
    this.#view = new ClusterView({ snapshot: this.#snapshot, queue: this.#queue, nominations: this.#nominations });
    const instance = `${COMPONENT}-${hostname()}`;
    this.#events = new SeriesEvents(context, {
      ...{ controller: COMPONENT, instance, as: SCHEDULER_USER, userAgent: USER_AGENT },
    });
  }

  async start(): Promise<void> {
    const sources = await openSources(this.#context);
    const pods = await this.#view.open(this.#context);
    const writes = new SchedulerWrites(this.#context, pods);
    const volumes = await openVolumes(this.#context, { pods, objects: writes.objects, snapshot: this.#snapshot });
    const devices = await openDevices(this.#context, writes.objects);
    this.#opened = { pods, sources: { ...sources, ...volumes.assumed }, writes, volumes, devices };
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#view.close();
    this.#queue.stop();
    this.#opened?.volumes.stop();
    await this.#running;
    await this.#slots.ended();
    await this.#events.stop();
  }

  /** Whether a pod waits for resource claims to be made. */
  #lacksClaims(info: PodInfo): boolean {
    const devices = this.#opened?.devices;
    if (devices === undefined || (info.pod.spec?.resourceClaims ?? []).length === 0) return false;
    return typeof podResourceClaims(info, devices.claims) === 'string';
  }

  /** Begins in a turn of its own, as it may be called during a write. */
  #wake(): void {
    if (this.#running !== undefined || this.#opened === undefined || this.#stopped) return;
    const opened = this.#opened;
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const work = turn
      .then(() => this.#run(opened))
      .finally(() => {
        this.#running = undefined;
      });
    this.#running = this.#context.activity.during(work);
  }

  async #run(opened: Opened): Promise<void> {
    const turn = this.#turns.begin(this);
    for (let next = this.#queue.take(); next !== undefined && !this.#stopped; next = this.#queue.take()) {
      await this.#attempt(next, opened, turn);
      await turn.over();
      await this.#slots.free();
    }
  }

  /** Never rejects. */
  async #attempt(queued: QueuedPod, opened: Opened, turn: Turn): Promise<void> {
    this.#view.hold();
    try {
      const context = { ...this.#world(opened), random: this.#context.random, cursor: this.#cursor };
      const outcome = await inTurns(placing(queued.info, context), turn);
      if (isPlaced(outcome)) this.#assume(queued, outcome, opened);
      else await this.#makeRoom(queued, outcome, { opened, turn });
    } catch (error) {
      this.#wentWrong(queued, error, opened);
    } finally {
      this.#view.release();
    }
  }

  #world({ sources, volumes, devices }: Opened) {
    const { reserve: reserveVolumes } = volumes;
    return { snapshot: this.#snapshot, nominations: this.#nominations, sources, reserveVolumes, devices };
  }

  /** The pod counts on its node from now on; the binding is written meanwhile. */
  #assume({ info }: QueuedPod, { node, filters }: Placement, opened: Opened): void {
    this.#snapshot.place(info, node.name, true);
    this.#nominations.remove(info.uid);
    const reservations = filters.flatMap((filter) => filter.reservation?.(node.name) ?? []);
    for (const each of reservations) each.take();
    const binding = { info, node: node.name, reservations };
    this.#work(binding, opened, async () => {
      for (const each of reservations) await each.write().catch(inPlugin('PreBind', each.by));
      if (reservations.some(({ ready }) => ready !== undefined)) this.#await(binding, opened);
      else await this.#bind(binding, opened);
    });
  }

  /** Binds the pod once others have done their part; nothing is in progress meanwhile. */
  #await(binding: Binding, opened: Opened): void {
    Promise.all(binding.reservations.map((each) => each.ready?.().catch(inPlugin('PreBind', each.by)))).then(
      () => this.#work(binding, opened, () => this.#bind(binding, opened)),
      (error: unknown) => this.#unbound(binding, error, opened),
    );
  }

  #work(binding: Binding, opened: Opened, work: () => Promise<void>): void {
    const done = work().catch((error: unknown) => this.#unbound(binding, error, opened));
    this.#slots.run(this.#context.activity.during(done));
  }

  async #bind({ info, node }: Binding, { writes }: Opened): Promise<void> {
    await writes.bind(info, node).catch(inPlugin('Bind', 'DefaultBinder'));
    this.#events.record(info.pod, {
      ...{ type: 'Normal', reason: 'Scheduled', action: 'Binding' },
      note: `Successfully assigned ${info.namespace}/${info.name} to ${node}`,
    });
  }

  #unbound({ info, reservations }: Binding, error: unknown, opened: Opened): void {
    for (const each of reservations) each.giveBack();
    this.#view.forget(info);
    this.#comeBack(info, error, opened);
  }

  /** A pod that could not be bound is tried again, if it is still there and has no node. */
  #comeBack(info: PodInfo, error: unknown, opened: Opened): void {
    const pod = opened.pods.get(info.namespace, info.name);
    if (this.#stopped || pod === undefined || pod.metadata.uid !== info.uid) return;
    if ((pod.spec?.nodeName ?? '') !== '' || pod.metadata.deletionTimestamp !== undefined) {
      this.#queue.remove(info.uid);
      return;
    }
    const latest = podInfo(pod);
    // Its changes since then have been ignored.
    this.#queue.set(latest);
    this.#wentWrong({ info: latest, sinceMs: 0, rejectedBy: new Set() }, error, opened);
  }

  /** Something unexpected happened: the pod is tried again later, and its condition says why. */
  #wentWrong(queued: QueuedPod, error: unknown, opened: Opened): void {
    this.#queue.failed(queued);
    if (this.#stopped) return;
    const { log } = this.#context;
    const { namespace, name } = queued.info;
    log.warn('a pod could not be scheduled and is tried again', { namespace, name, error });
    const message = messageOf(error);
    this.#reject(queued.info, { reason: 'SchedulerError', message, nominated: '' }, opened);
  }

  /** The pod fits nowhere: perhaps others can go. */
  async #makeRoom(
    queued: QueuedPod,
    unplaced: Unplaced,
    { opened, turn }: { readonly opened: Opened; readonly turn: Turn },
  ): Promise<void> {
    const { info } = queued;
    const { clock, random } = this.#context;
    let { message } = unplaced;
    let nominated: string | undefined;
    const { everywhere } = unplaced;
    if (everywhere !== undefined && everywhere.by !== 'DynamicResources') message += ` ${NOT_ASKED}`;
    else if (this.#snapshot.nodes.length === 0) nominated = '';
    else {
      const context = { ...this.#world(opened), random, cursor: this.#cursor, nowMs: clock.now() };
      const released = await unplaced.filters?.find(({ release }) => release !== undefined)?.release?.();
      const outcome = await inTurns(preempting(info, unplaced, context), turn);
      if ('candidate' in outcome) {
        nominated = outcome.candidate.node.name;
        await this.#preempt(info, outcome.candidate, opened);
      } else {
        message += ` ${released ?? NO_CLAIMS}, preemption: ${outcome.message}`;
        nominated = outcome.givesUp ? '' : undefined;
      }
    }
    if (nominated !== undefined) this.#nominations.set(info, nominated);
    this.#queue.rejected(queued, unplaced.rejectedBy);
    this.#reject(info, { reason: 'Unschedulable', message, nominated }, opened);
  }

  /** Ends the victims, and withdraws the nomination of less important pods for the node. */
  async #preempt(info: PodInfo, { node, victims }: Candidate, { writes }: Opened): Promise<void> {
    const others = this.#nominations.on(node.name).filter(({ priority }) => priority < info.priority);
    for (const each of others) this.#nominations.remove(each.uid);
    await Promise.all(others.map((each) => writes.giveUpNode(each)));
    await Promise.all(victims.map((victim) => this.#evict(victim, info, { node: node.name, writes })));
  }

  async #evict(
    victim: PodInfo,
    info: PodInfo,
    { node, writes }: { readonly node: string; readonly writes: SchedulerWrites },
  ): Promise<void> {
    await writes.evict(victim, info);
    this.#events.record(victim.pod, {
      ...{ type: 'Normal', reason: 'Preempted', action: 'Preempting', related: info.pod },
      note: `Preempted by pod ${info.uid} on node ${node}`,
    });
  }

  #reject(info: PodInfo, rejected: Parameters<SchedulerWrites['reject']>[1], { writes }: Opened): void {
    this.#events.record(info.pod, {
      ...{ type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling' },
      note: eventNote(rejected.message),
    });
    const written = writes.reject(info, rejected).catch((error: unknown) => {
      const { namespace, name } = info;
      this.#context.log.debug({ file: 'scheduler', level: 2 }, 'the condition of a pod could not be written', {
        ...{ namespace, name, error: String(error) },
      });
    });
    this.#slots.run(this.#context.activity.during(written));
  }
}

/** Says where something went wrong, as kube-scheduler does. */
function inPlugin(point: 'PreBind' | 'Bind', plugin: string): (error: unknown) => never {
  return (error) => {
    const message = messageOf(error);
    throw new Error(`running ${point} plugin ${JSON.stringify(plugin)}: ${message}`, { cause: error });
  };
}
