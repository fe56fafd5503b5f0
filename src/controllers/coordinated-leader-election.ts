// Coordinated leader election: chooses the holder of a Lease among the LeaseCandidates that ask for it, so that during an
// upgrade the oldest version leads. Candidates are asked whether they are still there before one is chosen. Everything
// follows from the stored objects: nothing is remembered between two steps.

import type { ApiObject, JsonObject } from '../api/object.ts';
import {
  bestStrategy,
  isCandidateExpired,
  isLeaseExpired,
  needsRenewal,
  OLDEST_EMULATION_VERSION,
  oldestCandidate,
  specTime,
} from '../resources/builtin/coordination/election.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { objectIn } from '../resources/fill-in.ts';
import { textAt } from '../resources/value.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { microTime } from './identity-lease.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

/** How long candidates have to answer, and how often a Lease is looked at again. Kubernetes' values. */
const ELECTION_MS = 5_000;
const RECHECK_MS = 5_000;
const LEASE_SECONDS = 5;
/** How often candidates that have gone are removed. Kubernetes' value. */
const COLLECTION_MS = 30 * 60_000;

const GROUP = 'coordination.k8s.io';
const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

export class CoordinatedLeaderElection implements Controller {
  readonly name = 'leader-election-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  #watches: readonly ObjectWatch[] = [];
  #collection: { cancel(): void } | undefined;
  #stopped = false;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, SERVER, 'kube-apiserver');
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work: (key) => this.#step(key) });
  }

  async start(): Promise<void> {
    const [leases, candidates] = [this.#definition('leases'), this.#definition('leasecandidates')];
    if (leases === undefined || candidates === undefined) return;
    const { registry } = this.#context.writes;
    const [held, asking] = [await registry.storage(leases), await registry.storage(candidates)];
    if (this.#stopped) return;
    const ofLease = ({ namespace, name }: { namespace: string; name: string }) =>
      this.#queue.add(`${namespace}/${name}`);
    this.#watches = [
      new ObjectWatch(held.cache, { changed: ofLease, removed: ofLease }),
      new ObjectWatch(asking.cache, {
        changed: (stored) => this.#asked(decodeStored(stored)),
        removed: (stored) => this.#asked(decodeStored(stored)),
      }),
    ];
    this.#queue.start();
    await this.#collect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#collection?.cancel();
    for (const watch of this.#watches) watch.close();
    await this.#queue.stop();
  }

  #definition(resource: string): ResourceDefinition | undefined {
    return this.#context.catalog.find(GROUP, resource);
  }

  /** A candidate that has just been asked to answer is part of an election in progress. */
  #asked(candidate: ApiObject): void {
    if (!isSilent(candidate))
      this.#queue.add(`${candidate.metadata.namespace}/${textAt(candidate, 'spec', 'leaseName')}`);
  }

  /** Removes candidates that have been silent for too long. */
  async #collect(): Promise<void> {
    const { clock, log } = this.#context;
    const definition = this.#definition('leasecandidates');
    if (definition === undefined) return;
    try {
      for (const candidate of await this.#candidates()) {
        if (!isCandidateExpired(candidate, clock.now())) continue;
        await this.#objects.delete(placeOf(definition, candidate), { preconditions: { uid: candidate.metadata.uid } });
      }
    } catch (error) {
      log.warn('expired lease candidates could not be removed', { error });
    }
    if (!this.#stopped) this.#collection = clock.after(COLLECTION_MS, () => void this.#collect());
  }

  async #candidates(namespace?: string): Promise<ApiObject[]> {
    const definition = this.#definition('leasecandidates');
    if (definition === undefined) return [];
    const { cache } = await this.#context.writes.registry.storage(definition);
    return Array.from(cache.snapshot().objects({ ...EVERYTHING, namespace }), decodeStored);
  }

  /** One step of the election of a Lease, by its key. @returns when to look at it again; undefined for never */
  async #step(key: string): Promise<number | undefined> {
    const slash = key.indexOf('/');
    const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
    const nowMs = this.#context.clock.now();
    const candidates = (await this.#candidates(namespace)).filter(
      (each) => textAt(each, 'spec', 'leaseName') === name && !isCandidateExpired(each, nowMs),
    );
    const definition = this.#definition('leases');
    if (candidates.length === 0 || definition === undefined) return undefined;
    const place = { definition, namespace, name };
    const lease = await this.#objects.read(place);
    if (!isElectionNeeded(candidates, lease, nowMs)) return RECHECK_MS;
    if (!(await this.#haveAnswered(candidates, nowMs))) return RECHECK_MS;
    const present = candidates.filter((each) => (specTime(each, 'renewTime') ?? 0) + ELECTION_MS > nowMs);
    if (present.length === 0) throw new Error('no available candidates');
    const strategy = bestStrategy(present);
    const electee = strategy === OLDEST_EMULATION_VERSION ? oldestCandidate(present)?.metadata.name : undefined;
    await this.#elect(place, { strategy, electee, lease });
    return RECHECK_MS;
  }

  /** Asks candidates that have not been asked. @returns whether all have answered, or have had the time to */
  async #haveAnswered(candidates: readonly ApiObject[], nowMs: number): Promise<boolean> {
    let complete = true;
    for (const candidate of candidates) {
      const pinged = specTime(candidate, 'pingTime');
      const renewed = specTime(candidate, 'renewTime') ?? 0;
      const isRunning = pinged !== undefined && pinged + ELECTION_MS > nowMs && renewed < pinged;
      if (isRunning) complete = false;
      if (isRunning || renewed + ELECTION_MS > nowMs) continue;
      if (pinged !== undefined && (pinged + ELECTION_MS >= nowMs || renewed < pinged)) continue;
      complete = false;
      await this.#ping(candidate, nowMs);
    }
    return complete;
  }

  async #ping(candidate: ApiObject, nowMs: number): Promise<void> {
    const definition = this.#definition('leasecandidates');
    if (definition === undefined) return;
    await this.#objects.change(placeOf(definition, candidate), (current) => {
      objectIn(current, 'spec')['pingTime'] = microTime(nowMs);
      return true;
    });
  }

  /** Gives the Lease to the elected candidate, or asks its holder to make room. */
  async #elect(place: ObjectPlace, election: Election): Promise<void> {
    const { strategy, electee, lease } = election;
    const nowMs = this.#context.clock.now();
    if (lease === undefined) {
      const holder = electee === undefined ? {} : { holderIdentity: electee };
      const spec = { ...holder, leaseDurationSeconds: LEASE_SECONDS, renewTime: microTime(nowMs), strategy };
      const { namespace, name } = place;
      await this.#objects.create(place.definition, { metadata: { namespace, name }, spec });
      return;
    }
    await this.#objects.change(place, (current) => settleLease(current, { strategy, electee }, nowMs));
  }
}

interface Election {
  readonly strategy: string;
  /** The elected candidate; undefined if somebody else applies the strategy. */
  readonly electee: string | undefined;
  /** Undefined if there is none. */
  readonly lease: ApiObject | undefined;
}

function placeOf(definition: ResourceDefinition, { metadata }: ApiObject): ObjectPlace {
  return { definition, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

/** Whether a candidate has been asked and has not answered. */
function isSilent(candidate: ApiObject): boolean {
  const pinged = specTime(candidate, 'pingTime');
  return pinged !== undefined && (specTime(candidate, 'renewTime') ?? 0) < pinged;
}

function isElectionNeeded(candidates: readonly ApiObject[], lease: ApiObject | undefined, nowMs: number): boolean {
  const holder = textAt(lease, 'spec', 'holderIdentity');
  if (lease === undefined || holder === '' || isLeaseExpired(lease, nowMs)) return true;
  if (candidates.some((each) => needsRenewal(each, nowMs))) return true;
  if (bestStrategy(candidates) !== OLDEST_EMULATION_VERSION) return false;
  const electee = oldestCandidate(candidates)?.metadata.name;
  return electee !== undefined && electee !== holder;
}

/** Changes an existing Lease after an election; returns whether it changed. */
function settleLease(lease: ApiObject, { strategy, electee }: Omit<Election, 'lease'>, nowMs: number): boolean {
  const spec: JsonObject = objectIn(lease, 'spec');
  const holder = spec['holderIdentity'] ?? '';
  let changed = spec['strategy'] !== strategy;
  spec['strategy'] = strategy;
  if (electee === undefined || holder === electee) return changed;
  changed = true;
  if (holder === '' || isLeaseExpired(lease, nowMs)) {
    delete spec['preferredHolder'];
    delete spec['acquireTime'];
    Object.assign(spec, { holderIdentity: electee, renewTime: microTime(nowMs), leaseDurationSeconds: LEASE_SECONDS });
  } else spec['preferredHolder'] = electee;
  return changed;
}
