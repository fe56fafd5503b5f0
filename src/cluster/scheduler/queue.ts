// Pods that wait for a node. Those with the highest priority come first, then those that wait longest. A pod that fits
// nowhere waits until something changes that may help it, or for five minutes; after a failure, until its back-off is over.

import type { Clock, Timer } from '../../base/clock.ts';
import { Heap } from '../../base/heap.ts';
import type { ClusterChange } from './cluster-change.ts';
import type { FilterName } from './filter.ts';
import { interested, mayHelp } from './hints.ts';
import type { PodInfo } from './pod-info.ts';

/** A pod that waits, or is being placed. */
export interface QueuedPod {
  readonly info: PodInfo;
  /** When it was put into the queue, or rejected. */
  readonly sinceMs: number;
  /** What has rejected it most recently. */
  readonly rejectedBy: ReadonlySet<FilterName>;
}

type Place = 'ready' | 'backing off' | 'failed' | 'unschedulable' | 'gated' | 'taken';

interface Entry extends QueuedPod {
  info: PodInfo;
  sinceMs: number;
  rejectedBy: ReadonlySet<FilterName>;
  place: Place;
  rejections: number;
  failures: number;
  backoffEndMs: number;
  /** The order of equal ones. */
  number: number;
}

/** An entry in a heap; outdated once the entry has moved. */
interface Slot {
  readonly entry: Entry;
  readonly number: number;
}

/** kube-scheduler's back-off, and how long an unschedulable pod waits at most. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 10_000;
const LONGEST_WAIT_MS = 300_000;
/** Ends of back-offs are brought together to whole seconds. */
const WINDOW_MS = 1_000;

export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #isHeld: (info: PodInfo) => boolean;
  /** By UID. */
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new Heap<Slot>((one, other) => comesFirst(one, other));
  readonly #backingOff = new Heap<Slot>((one, other) => endsFirst(one, other));
  readonly #failed = new Heap<Slot>((one, other) => endsFirst(one, other));
  /** Those that were rejected, in that order, and by what has rejected them. */
  readonly #unschedulable = new Set<Entry>();
  readonly #gated = new Set<Entry>();
  readonly #rejectedBy = new Map<FilterName, Set<Entry>>();
  #numbers = 0;
  #timer: Timer | undefined;
  /** When the timer ends. */
  #timerMs = Number.POSITIVE_INFINITY;

  /**
   * @param onReady called when there may be a pod to take
   * @param isHeld whether a pod is not to be tried because its resource claims are missing; asked again when claims change
   */
  constructor(clock: Clock, onReady: () => void, isHeld: (info: PodInfo) => boolean = () => false) {
    this.#clock = clock;
    this.#onReady = onReady;
    this.#isHeld = isHeld;
  }

  /** The number of pods, including those that are being placed. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether there is a pod to take. */
  get hasNext(): boolean {
    return current(this.#ready) !== undefined || current(this.#backingOff) !== undefined;
  }

  /** A pod without a node: a new one, or its new state. */
  set(info: PodInfo): void {
    const entry = this.#entries.get(info.uid);
    if (entry === undefined) this.#enter(info);
    else this.#update(entry, info);
  }

  remove(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#leave(entry);
    this.#entries.delete(uid);
  }

  /** The next pod to place; it has to be given back, or removed. */
  take(): QueuedPod | undefined {
    this.#endBackoffs();
    // If nothing else is to be done, nobody is served by waiting longer.
    const slot = current(this.#ready) ?? current(this.#backingOff);
    if (slot === undefined) return undefined;
    this.#move(slot.entry, 'taken');
    return slot.entry;
  }

  /** Gives a pod back that fits nowhere at present. */
  rejected({ info }: QueuedPod, by: ReadonlySet<FilterName>): void {
    const entry = this.#entries.get(info.uid);
    if (entry === undefined) return;
    entry.rejections++;
    entry.failures = 0;
    entry.rejectedBy = by;
    // With nothing to wait for, a pod is tried again.
    this.#await(entry, by.size === 0 ? 'failed' : 'unschedulable', entry.rejections);
  }

  /** Gives a pod back that could not be placed because something went wrong. */
  failed({ info }: QueuedPod): void {
    const entry = this.#entries.get(info.uid);
    if (entry === undefined) return;
    entry.failures++;
    entry.rejectedBy = new Set();
    this.#await(entry, 'failed', entry.failures);
  }

  /** Something has changed, which may help pods. */
  changed(change: ClusterChange): void {
    const gated = change.of === 'resourceclaims' ? [...this.#gated] : [];
    for (const entry of gated) if (!this.#isGated(entry.info)) this.#move(entry, 'ready');
    const candidates = new Set(interested(change).flatMap((name) => [...(this.#rejectedBy.get(name) ?? [])]));
    for (const entry of candidates) {
      const helps = entry.rejectedBy.values().some((name) => mayHelp(name, entry.info, change));
      if (helps) this.#requeue(entry);
    }
  }

  /** No pods are given out any more. */
  stop(): void {
    for (const uid of [...this.#entries.keys()]) this.remove(uid);
    this.#timer?.cancel();
    this.#timerMs = Number.POSITIVE_INFINITY;
  }

  #enter(info: PodInfo): void {
    const entry: Entry = {
      ...{ info, sinceMs: this.#clock.now(), rejectedBy: new Set(), place: 'taken' },
      ...{ rejections: 0, failures: 0, backoffEndMs: 0, number: 0 },
    };
    this.#entries.set(info.uid, entry);
    this.#move(entry, this.#isGated(info) ? 'gated' : 'ready');
  }

  #update(entry: Entry, info: PodInfo): void {
    const before = entry.info;
    entry.info = info;
    if (entry.place === 'gated') {
      if (!this.#isGated(info)) this.#move(entry, 'ready');
    } else if (this.#isGated(info)) {
      if (entry.place !== 'taken') this.#move(entry, 'gated');
    } else if (entry.place === 'unschedulable' && isChanged(before, info)) this.#requeue(entry);
  }

  #await(entry: Entry, place: Place, attempts: number): void {
    entry.sinceMs = this.#clock.now();
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS);
    entry.backoffEndMs = windowOf(entry.sinceMs + backoffMs);
    this.#move(entry, this.#isGated(entry.info) ? 'gated' : place);
  }

  #isGated(info: PodInfo): boolean {
    return (info.pod.spec?.schedulingGates ?? []).length > 0 || this.#isHeld(info);
  }

  #requeue(entry: Entry): void {
    const isOver = entry.backoffEndMs < windowOf(this.#clock.now());
    this.#move(entry, isOver ? 'ready' : 'backing off');
  }

  #endBackoffs(): void {
    const now = windowOf(this.#clock.now());
    for (const heap of [this.#backingOff, this.#failed]) {
      for (let slot = current(heap); slot !== undefined && slot.entry.backoffEndMs < now; slot = current(heap)) {
        this.#move(slot.entry, 'ready', false);
      }
    }
  }

  #endWaits(): void {
    const latest = this.#clock.now() - LONGEST_WAIT_MS;
    for (const entry of this.#unschedulable) {
      if (entry.sinceMs > latest) break;
      this.#requeue(entry);
    }
  }

  #move(entry: Entry, place: Place, tells = true): void {
    this.#leave(entry);
    entry.place = place;
    entry.number = ++this.#numbers;
    const slot = { entry, number: entry.number };
    if (place === 'ready') this.#ready.add(slot);
    else if (place === 'backing off') this.#backingOff.add(slot);
    else if (place === 'failed') this.#failed.add(slot);
    else if (place === 'unschedulable') this.#wait(entry);
    else if (place === 'gated') this.#gated.add(entry);
    if (tells && (place === 'ready' || place === 'backing off')) this.#onReady();
    this.#setTimer();
  }

  #wait(entry: Entry): void {
    this.#unschedulable.add(entry);
    for (const name of entry.rejectedBy) {
      const found = this.#rejectedBy.get(name);
      if (found === undefined) this.#rejectedBy.set(name, new Set([entry]));
      else found.add(entry);
    }
  }

  #leave(entry: Entry): void {
    entry.number = 0;
    this.#gated.delete(entry);
    if (!this.#unschedulable.delete(entry)) return;
    for (const name of entry.rejectedBy) this.#rejectedBy.get(name)?.delete(entry);
  }

  /** Wakes up for the first failed pod, and for the one that has waited longest. */
  #setTimer(): void {
    const failed = current(this.#failed)?.entry;
    const [oldest] = this.#unschedulable;
    // A back-off is over in the window after the one in which it ends.
    const atMs = Math.min(
      failed === undefined ? Number.POSITIVE_INFINITY : failed.backoffEndMs + WINDOW_MS,
      oldest === undefined ? Number.POSITIVE_INFINITY : oldest.sinceMs + LONGEST_WAIT_MS,
    );
    if (atMs >= this.#timerMs) return;
    this.#timer?.cancel();
    this.#timerMs = atMs;
    this.#timer = this.#clock.after(Math.max(0, atMs - this.#clock.now()), () => {
      this.#timerMs = Number.POSITIVE_INFINITY;
      this.#endWaits();
      this.#endBackoffs();
      if (current(this.#ready) !== undefined) this.#onReady();
      this.#setTimer();
    });
  }
}

/** The first slot that is not outdated. */
function current(heap: Heap<Slot>): Slot | undefined {
  for (let slot = heap.first(); slot !== undefined; slot = heap.first()) {
    if (slot.number === slot.entry.number) return slot;
    heap.take();
  }
  return undefined;
}

function comesFirst({ entry, number }: Slot, other: Slot): boolean {
  if (entry.info.priority !== other.entry.info.priority) return entry.info.priority > other.entry.info.priority;
  if (entry.sinceMs !== other.entry.sinceMs) return entry.sinceMs < other.entry.sinceMs;
  return number < other.number;
}

function endsFirst(one: Slot, other: Slot): boolean {
  const [ends, otherEnds] = [one.entry.backoffEndMs, other.entry.backoffEndMs];
  return ends === otherEnds ? comesFirst(one, other) : ends < otherEnds;
}

function windowOf(ms: number): number {
  return Math.floor(ms / WINDOW_MS) * WINDOW_MS;
}

/** Whether a pod has changed in a way that may help it. */
function isChanged({ pod: before }: PodInfo, { pod }: PodInfo): boolean {
  const [one, other] = [before, pod].map(({ metadata, spec, status }) =>
    JSON.stringify([metadata.labels, spec, status?.resourceClaimStatuses]),
  );
  return one !== other;
}
