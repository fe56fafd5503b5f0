// Objects of a resource that are driven by Stages: each is matched when it or the Stages have changed, and what is
// chosen is played when its delay is over.

import { ApiError } from '../../api/errors.ts';
import type { ApiObject } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import { limits } from '../../base/limits.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import type { Wakes } from '../nodes/wakes.ts';
import { keyOf, splitKey } from '../reconciler.ts';
import { Budget } from './budget.ts';
import { type Candidate, type CompiledStage, chosenStage } from './compiled-stage.ts';
import type { StageLook } from './expression.ts';
import { nextTurn } from './next-turn.ts';
import type { Surroundings } from './stage-functions.ts';
import type { StageWriter } from './stage-writer.ts';

/** What the simulation knows of the objects of a resource. */
export interface StageSubjects {
  /** Whether an object is driven at all: only pods on simulated nodes that are up are. */
  isManaged(object: ApiObject): boolean;
  surroundings(object: ApiObject): Surroundings;
  /** An object was removed, or is no longer managed. */
  forget(key: string): void;
}

interface StagedResourceNeeds {
  readonly context: ClusterContext;
  readonly informer: Informer<Informed>;
  readonly wakes: Wakes;
  readonly writer: StageWriter;
  readonly subjects: StageSubjects;
  /** Adds an object to the queue. */
  readonly add: (key: string) => void;
  /** A Stage cannot be matched with an object, or played. */
  readonly failed: (stage: CompiledStage, object: ApiObject, message: string) => void;
}

/** How far an object is. */
interface Progress {
  /** The version that was matched, with the Stages of that time. */
  readonly version: string | undefined;
  readonly round: number;
  /** The Stage that is to be played; undefined if there is none, or it has been. */
  stage: CompiledStage | undefined;
  dueMs: number;
  failures: number;
  readonly burst: Burst;
}

/** Stages that were played without a pause: some select what they have made for ever. */
interface Burst {
  sinceMs: number;
  count: number;
}

const BURST_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 1_920_000;
/** The server is overloaded, or does not answer in time. */
const TRANSIENT: readonly number[] = [429, 503, 504];

export class StagedResource {
  readonly #needs: StagedResourceNeeds;
  readonly #unfollow: () => void;
  readonly #progress = new Map<string, Progress>();
  /** In the order of their names. */
  #stages: readonly CompiledStage[] = [];
  #round = 0;
  #closed = false;

  constructor(needs: StagedResourceNeeds) {
    this.#needs = needs;
    this.#unfollow = needs.informer.follow({
      changed: (object) => needs.add(keyOf(object)),
      removed: (object) => needs.add(keyOf(object)),
    });
  }

  /** Matches all objects again if these are other Stages than before. */
  drive(stages: readonly CompiledStage[]): void {
    const isSame = stages.length === this.#stages.length && stages.every((stage, at) => stage === this.#stages[at]);
    if (isSame) return;
    this.#stages = stages;
    this.#round++;
    for (const object of this.#needs.informer.list()) this.#needs.add(keyOf(object));
  }

  /** Ends it; what is delayed is not played. */
  close(): void {
    this.#closed = true;
    this.#unfollow();
    for (const key of this.#progress.keys()) this.#forget(key);
  }

  async look(key: string): Promise<undefined> {
    const { context, informer, subjects, wakes } = this.#needs;
    const { namespace, name } = splitKey(key);
    const object = informer.get(namespace, name) as ApiObject | undefined;
    if (object === undefined || !subjects.isManaged(object)) return this.#forget(key);
    const progress = await this.#progressOf(key, object);
    if (this.#closed) return undefined;
    if (progress.stage === undefined) {
      wakes.cancel(this.#wakeKey(key));
      return undefined;
    }
    if (context.clock.now() < progress.dueMs) this.#wakeAt(key, progress.dueMs);
    else await this.#play(key, object, progress);
    return undefined;
  }

  async #progressOf(key: string, object: ApiObject): Promise<Progress> {
    const version = object.metadata.resourceVersion;
    const known = this.#progress.get(key);
    if (known !== undefined && known.version === version && known.round === this.#round) return known;
    const round = this.#round;
    const stage = await this.#match(object);
    const look = this.#look(object);
    const progress: Progress = {
      ...{ version, round, stage, failures: 0 },
      dueMs: look.nowMs + (stage === undefined ? 0 : this.#delay(stage, look)),
      burst: known?.burst ?? { sinceMs: look.nowMs, count: 0 },
    };
    this.#progress.set(key, progress);
    return progress;
  }

  #look(object: ApiObject): StageLook {
    const { clock, random } = this.#needs.context;
    return { object, nowMs: clock.now(), budget: new Budget(limits.stageSteps), random };
  }

  /** Each Stage has a budget of its own; together they give way to other work after as many steps. */
  async #match(object: ApiObject): Promise<CompiledStage | undefined> {
    const candidates: Candidate[] = [];
    let steps = 0;
    for (const stage of this.#stages) {
      const look = this.#look(object);
      try {
        if (stage.selects(look)) candidates.push({ stage, weight: stage.weight(look) });
      } catch (error) {
        this.#fail(stage, object, error);
      }
      steps += 1 + limits.stageSteps - look.budget.left;
      if (steps < limits.stageSteps) continue;
      steps = 0;
      await nextTurn();
    }
    return chosenStage(candidates, this.#needs.context.random);
  }

  #delay(stage: CompiledStage, look: StageLook): number {
    try {
      return stage.delay(look);
    } catch (error) {
      this.#fail(stage, look.object, error);
      return 0;
    }
  }

  async #play(key: string, object: ApiObject, progress: Progress): Promise<void> {
    const { informer, writer, subjects } = this.#needs;
    const stage = progress.stage!;
    const look = this.#look(object);
    if (!mayFollow(progress.burst, look.nowMs)) {
      progress.dueMs = progress.burst.sinceMs + BURST_MS;
      this.#wakeAt(key, progress.dueMs);
      return;
    }
    progress.stage = undefined;
    try {
      await writer.play(informer.definition, { next: stage.next, look, surroundings: subjects.surroundings(object) });
    } catch (error) {
      if (!(error instanceof ApiError)) return this.#fail(stage, object, error);
      // Gone, or changed meanwhile: then it is matched again.
      if (error.code === 404 || error.code === 409) return;
      if (!TRANSIENT.includes(error.code)) return this.#fail(stage, object, error);
      progress.stage = stage;
      progress.dueMs = look.nowMs + Math.min(FIRST_RETRY_MS * 2 ** progress.failures++, LONGEST_RETRY_MS);
      this.#wakeAt(key, progress.dueMs);
    }
  }

  #fail(stage: CompiledStage, object: ApiObject, error: unknown): void {
    this.#needs.failed(stage, object, messageOf(error));
  }

  #wakeAt(key: string, atMs: number): void {
    this.#needs.wakes.set(this.#wakeKey(key), atMs, () => this.#needs.add(key));
  }

  #wakeKey(key: string): string {
    const { group, resource } = this.#needs.informer.definition;
    return `stage/${group}/${resource}/${key}`;
  }

  #forget(key: string): undefined {
    if (!this.#progress.delete(key)) return undefined;
    this.#needs.wakes.cancel(this.#wakeKey(key));
    this.#needs.subjects.forget(key);
    return undefined;
  }
}

/** Whether one more Stage may be played without a pause. */
function mayFollow(burst: Burst, nowMs: number): boolean {
  if (nowMs - burst.sinceMs >= BURST_MS) Object.assign(burst, { sinceMs: nowMs, count: 0 });
  return burst.count++ < limits.stageBurst;
}
