// Stages in the form in which they are played, and the choice among those that select an object.

import { parseApiVersion } from '../../api/group-version.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Random } from '../../base/random.ts';
import { type Condition, compileCondition } from './expression.ts';
import { type CompiledNext, compileNext } from './next.ts';
import { compileDelay, compileWeight, type Delay, type Weight } from './stage-delay.ts';
import type { Stage, StageSelector } from './stage-objects.ts';

export interface CompiledStage {
  readonly stage: Stage;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly selects: Condition;
  readonly weight: Weight;
  readonly delay: Delay;
  readonly next: CompiledNext;
}

/** @throws Error that says what is wrong with it */
export function compileStage(stage: Stage): CompiledStage {
  const { resourceRef = {}, selector, weight = 0, weightFrom, delay, next = {} } = stage.spec ?? {};
  const { apiGroup = 'v1', kind = '' } = resourceRef;
  const group = parseApiVersion(apiGroup)?.group;
  if (group === undefined)
    throw new Error(`resourceRef.apiGroup ${JSON.stringify(apiGroup)} is not a group and version`);
  return {
    ...{ stage, name: stage.metadata.name ?? '', group, kind },
    selects: compileSelector(selector),
    weight: compileWeight(weight, weightFrom),
    delay: compileDelay(delay),
    next: compileNext(next, { isTyped: group === '' && (kind === 'Pod' || kind === 'Node') }),
  };
}

function compileSelector(selector: StageSelector | undefined): Condition {
  if (selector === undefined) return () => false;
  const { matchLabels = {}, matchAnnotations = {}, matchExpressions = [] } = selector;
  const conditions = matchExpressions.map(compileCondition);
  return (look) => {
    const { labels, annotations } = look.object.metadata;
    return (
      hasAll(labels, matchLabels) &&
      hasAll(annotations, matchAnnotations) &&
      conditions.every((condition) => condition(look))
    );
  };
}

function hasAll(own: Readonly<Record<string, string>> | undefined, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => ownMember(own, name) === value);
}

/** A Stage that selects an object, with its weight. */
export interface Candidate {
  readonly stage: CompiledStage;
  readonly weight: number | undefined;
}

/**
 * One of the Stages that select an object: by weight, or by chance if none has any. A Stage without a weight for this
 * object is only chosen if no other has one.
 */
export function chosenStage(candidates: readonly Candidate[], random: Random): CompiledStage | undefined {
  if (candidates.length < 2) return candidates[0]?.stage;
  const weighed = candidates.filter(({ weight }) => weight !== undefined);
  const total = weighed.reduce((sum, { weight = 0 }) => sum + Math.max(0, weight), 0);
  if (total === 0) {
    const among = weighed.length === 0 ? candidates : weighed;
    return among[random.below(among.length)]?.stage;
  }
  let place = random.below(total);
  return weighed.find(({ weight = 0 }) => (place -= Math.max(0, weight)) < 0)?.stage;
}
