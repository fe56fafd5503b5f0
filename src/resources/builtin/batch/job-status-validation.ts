// Validation of Job status: a job finishes once, in one way, with no active pods and all pods counted.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { isAnyTrue } from '../../conditions.ts';
import type { StrategyContext } from '../../definition.ts';
import { validateCounts } from '../../validation/counts.ts';
import { commonIndex, parseIndexes } from './job-indexes.ts';
import type { Job, JobSpec, JobStatus, UncountedTerminatedPods } from './v1-objects.ts';

/**
 * A status written by controllers. Unchanged parts are not validated again, so that a status can be updated while
 * another part of it is invalid.
 */
/** The first minor release of Kubernetes 1 in which jobs without a success policy may meet success criteria. */
const CRITERIA_WITHOUT_POLICY = 31;

export function validateJobStatus(next: Job, previous: Job, context: StrategyContext): FieldError[] {
  return new StatusCheck(next, previous, context).faults();
}

const CONDITIONS = 'status.conditions';
const START_STAYS = 'field is immutable for unsuspended job once set';
const FINAL = ['Failed', 'Complete', 'FailureTarget'];

/** Terminated pods that are not counted yet, without duplicates. */
function validateUncounted(pods: UncountedTerminatedPods | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (pods?.[list] ?? []).flatMap((uid, index) => {
      const here = `${field}.${list}[${index}]`;
      if (uid === '') return [fieldError.invalid(here, uid, 'must not be empty')];
      if (seen.has(uid)) return [fieldError.duplicate(here, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

/** The first minor release that validates more of a status than its counts. */
const CHECKS_CONDITIONS = 30;

class StatusCheck {
  readonly #context: StrategyContext;
  readonly #next: JobStatus;
  readonly #previous: JobStatus;
  readonly #spec: JobSpec;
  readonly #found: FieldError[] = [];

  constructor(next: Job, previous: Job, context: StrategyContext) {
    this.#context = context;
    this.#next = next.status ?? {};
    this.#previous = previous.status ?? {};
    this.#spec = next.spec ?? {};
  }

  faults(): FieldError[] {
    const { gateEnabled } = this.#context;
    const status = this.#next;
    this.#found.push(
      ...validateCounts(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
      ...validateUncounted(status.uncountedTerminatedPods, 'status.uncountedTerminatedPods'),
    );
    if (!isSince(this.#context, CHECKS_CONDITIONS)) return this.#found;
    if (!gateEnabled('JobManagedBy')) {
      // Jobs managed by other controllers get additional validation.
      this.#success();
      this.#successStays();
      return this.#found;
    }
    if (this.#turned('Complete', 'Failed')) this.#notBoth('Complete', 'Failed');
    if (this.#turned('Complete', 'FailureTarget')) this.#notBoth('Complete', 'FailureTarget');
    this.#completion();
    this.#reasons();
    this.#finish();
    this.#indexes();
    this.#running();
    this.#success();
    this.#progress();
    return this.#found;
  }

  #refuse(member: string, detail: string): void {
    this.#found.push(fieldError.invalid(`status.${member}`, this.#next[member as keyof JobStatus], detail));
  }

  #refuseConditions(detail: string): void {
    this.#found.push(fieldError.invalidAsWhole(CONDITIONS, detail));
  }

  #is(condition: string): boolean {
    return isAnyTrue({ status: this.#next }, condition);
  }

  #isFinished(status = this.#next): boolean {
    return isAnyTrue({ status: status }, 'Complete') || isAnyTrue({ status: status }, 'Failed');
  }

  /** Whether one of these conditions has changed. */
  #turned(...conditions: readonly string[]): boolean {
    return conditions.some((condition) => this.#is(condition) !== isAnyTrue({ status: this.#previous }, condition));
  }

  #changed(member: keyof JobStatus): boolean {
    return !equalJson(this.#next[member], this.#previous[member]);
  }

  #finished(): boolean {
    return this.#isFinished() !== this.#isFinished(this.#previous);
  }

  #notBoth(one: string, other: string): void {
    if (this.#is(one) && this.#is(other)) this.#refuseConditions(`cannot set ${one}=True and ${other}=true conditions`);
  }

  #completion(): void {
    const { startTime: start, completionTime: end } = this.#next;
    const complete = this.#is('Complete');
    if (this.#turned('Complete') || this.#changed('completionTime')) {
      if (end !== undefined && !complete) {
        this.#refuse('completionTime', 'cannot set completionTime when there is no Complete=True condition');
      }
      if (end === undefined && complete) {
        const why = 'completionTime is required for Complete jobs';
        this.#found.push(fieldError.required('status.completionTime', why));
      }
    }
    const isMoved = this.#changed('startTime') || this.#changed('completionTime');
    if (isMoved && start !== undefined && end !== undefined && Date.parse(end) < Date.parse(start)) {
      this.#refuse('completionTime', 'must be equal to or after `startTime`');
    }
  }

  /** A condition that announces the end must precede the end. */
  #reasons(): void {
    const isFailed = this.#is('Failed') && !this.#is('FailureTarget');
    if (isFailed && (this.#turned('Failed') || this.#changed('failedIndexes'))) {
      this.#refuseConditions('cannot set Failed=True condition without the FailureTarget=true condition');
    }
    const isComplete = this.#is('Complete') && !this.#is('SuccessCriteriaMet');
    if (isComplete && this.#turned('Complete', 'SuccessCriteriaMet')) {
      this.#refuseConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
    }
  }

  #finish(): void {
    if (!this.#isFinished()) return;
    const { active = 0, startTime, uncountedTerminatedPods: uncounted } = this.#next;
    const isNew = this.#finished();
    if (active > 0 && (isNew || this.#changed('active'))) {
      this.#refuse('active', 'active>0 is invalid for finished job');
    }
    const isEmpty = this.#spec.suspend === true && this.#spec.completions === 0;
    if (startTime === undefined && !isEmpty && (isNew || this.#changed('startTime'))) {
      this.#found.push(fieldError.required('status.startTime', 'startTime is required for finished job'));
    }
    const left = (uncounted?.succeeded ?? []).length + (uncounted?.failed ?? []).length;
    if (left > 0 && (isNew || this.#changed('uncountedTerminatedPods'))) {
      this.#refuse('uncountedTerminatedPods', 'must be empty for finished job');
    }
  }

  #indexes(): void {
    const { completedIndexes: completed = '', failedIndexes: failed } = this.#next;
    const { completions, completionMode, backoffLimitPerIndex } = this.#spec;
    const parse = (member: 'completedIndexes' | 'failedIndexes', text: string) => {
      const parsed = completions === undefined ? 0 : parseIndexes(text, Number(completions));
      if (typeof parsed === 'string') this.#refuse(member, `error parsing ${member}: ${parsed}`);
    };
    const isLimited = backoffLimitPerIndex !== undefined;
    const [newCompleted, newFailed] = [this.#changed('completedIndexes'), this.#changed('failedIndexes')];
    if (newCompleted) parse('completedIndexes', completed);
    if (newFailed && failed !== undefined && isLimited) parse('failedIndexes', failed);
    if (newCompleted && completed !== '' && completionMode !== 'Indexed') {
      this.#refuse('completedIndexes', 'cannot set non-empty completedIndexes when non-indexed completion mode');
    }
    if (newFailed && failed !== undefined && !isLimited) {
      this.#refuse('failedIndexes', 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
    }
    if (!(newCompleted || newFailed) || completions === undefined || failed === undefined) return;
    const common = commonIndex(completed, failed, Number(completions));
    if (common === undefined) return;
    this.#refuse('failedIndexes', `failedIndexes and completedIndexes overlap at index: ${common}`);
  }

  #running(): void {
    const { active = 0, ready, terminating = 0 } = this.#next;
    if (terminating > 0 && this.#isFinished() && (this.#finished() || this.#changed('terminating'))) {
      this.#refuse('terminating', 'terminating>0 is invalid for finished job');
    }
    if (ready !== undefined && ready > active && (this.#changed('ready') || this.#changed('active'))) {
      this.#refuse('ready', 'cannot set more ready pods than active');
    }
  }

  /** Criteria belong to a success policy, which only indexed jobs have, where other jobs may not meet any. */
  #success(): void {
    const { gateEnabled } = this.#context;
    const needsPolicy =
      !isSince(this.#context, CRITERIA_WITHOUT_POLICY) ||
      !(gateEnabled('JobManagedBy') || gateEnabled('JobPodReplacementPolicy'));
    const isRefused = needsPolicy && this.#is('SuccessCriteriaMet');
    if (isRefused && this.#spec.completionMode !== 'Indexed') {
      this.#refuseConditions('cannot set SuccessCriteriaMet to NonIndexed Job');
    }
    this.#notBoth('SuccessCriteriaMet', 'Failed');
    this.#notBoth('SuccessCriteriaMet', 'FailureTarget');
    if (isRefused && this.#spec.successPolicy === undefined) {
      this.#refuseConditions('cannot set SuccessCriteriaMet=True for Job without SuccessPolicy');
    }
    if (this.#spec.successPolicy !== undefined && this.#is('Complete') && !this.#is('SuccessCriteriaMet')) {
      this.#refuseConditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
    }
  }

  /** Terminal conditions are permanent. */
  #progress(): void {
    const [status, old] = [this.#next, this.#previous];
    for (const condition of FINAL) {
      if (!isAnyTrue({ status: old }, condition) || this.#is(condition)) continue;
      this.#refuseConditions(`cannot disable the terminal ${condition}=True condition`);
    }
    for (const member of ['failed', 'succeeded'] as const) this.#notFewer(member);
    if (status.completionTime !== undefined && old.completionTime !== undefined && this.#changed('completionTime')) {
      this.#refuse('completionTime', IMMUTABLE);
    }
    if (old.startTime !== undefined && this.#changed('startTime') && this.#spec.suspend !== true && !this.#resumes()) {
      this.#found.push(
        isSince(this.#context, 36)
          ? fieldError.invalid('status.startTime', status.startTime ?? null, START_STAYS)
          : fieldError.required('status.startTime', 'startTime cannot be removed for unsuspended job'),
      );
    }
    this.#successStays();
  }

  #successStays(): void {
    const old = this.#previous;
    const [isMet, wasMet] = [this.#is('SuccessCriteriaMet'), isAnyTrue({ status: old }, 'SuccessCriteriaMet')];
    if (wasMet && !isMet) this.#refuseConditions('cannot disable the SuccessCriteriaMet=True condition');
    if (isAnyTrue({ status: old }, 'Complete') && !wasMet && isMet) {
      this.#refuseConditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
    }
  }

  /** Jobs with equal parallelism and completions can be scaled down, and then have fewer succeeded pods. */
  #notFewer(member: 'failed' | 'succeeded'): void {
    const { completionMode, completions, parallelism } = this.#spec;
    if (member === 'succeeded' && completionMode === 'Indexed' && completions === parallelism) return;
    const count = this.#next[member] ?? 0;
    if (count >= (this.#previous[member] ?? 0)) return;
    this.#found.push(fieldError.invalid(`status.${member}`, count, `cannot decrease the ${member} counter`));
  }

  #resumes(): boolean {
    const isSuspended = (this.#next.conditions ?? []).some(
      ({ type, status }) => type === 'Suspended' && status === 'False',
    );
    return isSuspended && isAnyTrue({ status: this.#previous }, 'Suspended');
  }
}
