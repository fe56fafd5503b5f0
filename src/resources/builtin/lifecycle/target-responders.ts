// Validation of the responders that an Eviction goes through: one after the other in the order of their priorities, each of
// them active until it has completed, canceled or been interrupted, and none of them again.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { lookup } from '../../../base/lookup.ts';
import { inGoForm, TARGET_RESPONDER } from '../../validation/go-form.ts';
import { isRepeated, MOST_RESPONDERS, millis, type Responders, TIME_SKEW_MS } from './responders.ts';
import type { ResponderStatus, TargetResponder } from './v1alpha1-objects.ts';

const FIELD = 'status.targetResponders';
/** A responder that has been silent for so long can be interrupted. */
const HEARTBEAT_MS = 20 * 60_000;
/** Lower priorities are those of Kubernetes' own responders. */
const LEAST_PRIORITY = 1000;
const OWN_PRIORITIES: Readonly<Record<string, number>> = lookup({ 'imperative-eviction.k8s.io/evictor': 100 });
const ENDED = ['Canceled', 'Completed', 'Interrupted'];

interface TargetScope {
  readonly previous: readonly TargetResponder[];
  /** Whether the eviction has succeeded or failed. */
  readonly isFinal: boolean;
  readonly nowMs: number;
}

/** Errors of status.targetResponders. */
export function validateTargetResponders(given: Responders, scope: TargetScope): FieldError[] {
  const { targetResponders: next, responders } = given;
  const { previous } = scope;
  if (previous.length > 0) {
    const why = keysFault(next, previous);
    if (why !== undefined) return [fieldError.invalid(FIELD, inGoForms(next), why)];
  }
  // Too many and repeated ones are found by declared rules.
  if (next.length === 0 || next.length > MOST_RESPONDERS || isRepeated(next)) return [];
  const expectation = expected(next, scope);
  return [...next].sort(inTurn).flatMap((each, turn) => {
    const status = responders.findLast(({ name }) => name === each.name);
    const field = `${FIELD}[${next.indexOf(each)}]`;
    return validateTarget(each, { field, status, expectation: expectation(turn), scope });
  });
}

function inGoForms(list: readonly TargetResponder[]) {
  return list.length === 0 ? null : list.map((each) => inGoForm(each, TARGET_RESPONDER));
}

function keysFault(next: readonly TargetResponder[], previous: readonly TargetResponder[]): string | undefined {
  if (next.length !== previous.length) return 'must preserve the same length and the same keys';
  const names = new Set(next.map(({ name }) => name));
  return previous.some(({ name }) => !names.has(name)) ? 'must preserve the same keys' : undefined;
}

/** The order in which responders are asked: by priority, then by domain from its top on, then by key. */
function inTurn(one: TargetResponder, other: TargetResponder): number {
  const [first, second] = [one.priority ?? undefined, other.priority ?? undefined];
  if (first !== second) {
    if (first === undefined) return 1;
    return second === undefined ? -1 : second - first;
  }
  const [labels, key] = placeOf(one);
  const [others, otherKey] = placeOf(other);
  for (const [index, label] of labels.entries()) {
    const beside = others[index];
    if (beside === undefined) return 1;
    if (label !== beside) return label < beside ? -1 : 1;
  }
  if (others.length > labels.length) return -1;
  return key === otherKey ? 0 : key < otherKey ? -1 : 1;
}

function placeOf({ name = '' }: TargetResponder): [labels: string[], key: string] {
  const slash = name.indexOf('/');
  const domain = slash < 0 ? name : name.slice(0, slash);
  return [domain.split('.').reverse(), slash < 0 ? '' : name.slice(slash + 1)];
}

/** The states that a responder may be in, and why. */
interface Expectation {
  readonly states: readonly string[];
  readonly why: string;
}

const FINISHED = 'the eviction request has finished processing';

/** What is expected of the responder whose turn is the first, the second … */
function expected(next: readonly TargetResponder[], scope: TargetScope): (turn: number) => Expectation {
  const { isFinal } = scope;
  const before = [...scope.previous].sort(inTurn);
  const now = [...next].sort(inTurn);
  const active = before.findIndex(({ state }) => state === 'Active');
  const hasChanged = active >= 0 && now[active]?.state !== 'Active';
  const isOver = before.length > 0 && active < 0 && (isFinal || ENDED.includes(before.at(-1)?.state ?? ''));
  return (turn) => {
    if (turn < active || isOver) return { states: [before[turn]?.state ?? ''], why: 'final state is immutable' };
    if (turn === active && hasChanged) return { states: ENDED, why: 'this responder must reach a final state' };
    if (turn === active) {
      return isFinal
        ? { states: ENDED, why: FINISHED }
        : { states: ['Active'], why: 'the eviction request stays active' };
    }
    if ((turn === 0 && before.length === 0) || (turn === active + 1 && hasChanged)) {
      return isFinal
        ? { states: ['Inactive'], why: FINISHED }
        : { states: ['Active'], why: 'this responder is next in line' };
    }
    return { states: ['Inactive'], why: 'the previously active has not finished processing' };
  };
}

interface TargetPlace {
  readonly field: string;
  readonly status: ResponderStatus | undefined;
  readonly expectation: Expectation;
  readonly scope: TargetScope;
}

function validateTarget(responder: TargetResponder, place: TargetPlace): FieldError[] {
  const { field, status, expectation } = place;
  if (status === undefined) {
    const why = `${JSON.stringify(responder.name ?? '')} has to be tracked in status.responders first`;
    return [fieldError.invalid(field, inGoForm(responder, TARGET_RESPONDER), why)];
  }
  const { state = '' } = responder;
  const ofPriority = validatePriority(responder, `${field}.priority`);
  if (!expectation.states.includes(state)) {
    const why = `must be one of: ${expectation.states.join(', ')}, because ${expectation.why}`;
    return [...ofPriority, fieldError.invalid(`${field}.state`, state, why)];
  }
  return [...ofPriority, ...validateState(state, status, place)];
}

function validatePriority({ name = '', priority }: TargetResponder, field: string): FieldError[] {
  if (priority === undefined || priority === null || priority < 0) return [];
  const own = OWN_PRIORITIES[name];
  if (own !== undefined) {
    const why = `core k8s responder is expected to have priority: ${own}`;
    return priority === own ? [] : [fieldError.invalid(field, priority, why)];
  }
  const why = 'priorities 0-999 are reserved for responders with *.k8s.io suffix';
  return priority < LEAST_PRIORITY ? [fieldError.invalid(field, priority, why)] : [];
}

/** A responder stays active while it reports, and completes by reporting that. */
function validateState(state: string, status: ResponderStatus, { field, scope }: TargetPlace): FieldError[] {
  const found: FieldError[] = [];
  const { startTime, heartbeatTime, completionTime } = status;
  const hasEnded = completionTime !== undefined;
  if (state !== 'Active' && startTime !== undefined && !hasEnded && !scope.isFinal) {
    const heard = millis(heartbeatTime) ?? millis(startTime) ?? 0;
    if (scope.nowMs < heard + HEARTBEAT_MS - TIME_SKEW_MS) {
      const why =
        'must stay Active because the responder is in progress and it should report status.responders.heartbeatTime or status.responders.completionTime';
      found.push(fieldError.forbidden(`${field}.state`, why));
    }
  }
  if (state === 'Completed' && !hasEnded) {
    const why = "cannot become Completed because the responder didn't report status.responders.completionTime";
    found.push(fieldError.invalid(`${field}.state`, state, why));
  }
  return found;
}
