import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { Budget, BudgetError } from './budget.ts';
import { chosenStage, compileStage } from './compiled-stage.ts';
import type { StageLook } from './expression.ts';
import type { ExpressionFrom, MatchExpression, Stage, StageDelay } from './stage-objects.ts';

const POD: ApiObject = {
  kind: 'Pod',
  metadata: {
    name: 'web',
    creationTimestamp: '2025-12-31T23:59:00Z',
    labels: { app: 'web', constructor: 'yes' },
    annotations: { weight: '7', delay: '1m30s', until: '2026-01-01T00:00:20Z', none: '' },
  },
  spec: { replicas: 3, containers: [{ name: 'a' }, { name: 'b' }] },
  status: { phase: 'Running', ready: true },
};

function look(steps = 20_000): StageLook {
  return { object: POD, nowMs: Date.UTC(2026, 0, 1), budget: new Budget(steps), random: new SeededRandom(1) };
}

function stage(spec: Stage['spec'] = {}, name = 'stage') {
  return compileStage({ metadata: { name }, spec: { resourceRef: { kind: 'Pod' }, selector: {}, next: {}, ...spec } });
}

function selects(...matchExpressions: MatchExpression[]): boolean {
  return stage({ selector: { matchExpressions } }).selects(look());
}

test('a Stage selects objects by labels, annotations and expressions of jq', () => {
  assert.equal(stage().selects(look()), true);
  assert.equal(stage({ selector: { matchLabels: { app: 'web' } } }).selects(look()), true);
  assert.equal(stage({ selector: { matchLabels: { toString: 'x' } } }).selects(look()), false);
  assert.equal(stage({ selector: { matchAnnotations: { weight: '8' } } }).selects(look()), false);
  const phase = '.status.phase';
  assert.equal(selects({ key: phase, operator: 'In', values: ['Pending', 'Running'] }), true);
  assert.equal(selects({ key: phase, operator: 'NotIn', values: ['Running'] }), false);
  assert.equal(selects({ key: '.status.ready', operator: 'In', values: ['true'] }), true);
  assert.equal(selects({ key: '.spec.containers | length', operator: 'In', values: ['2'] }), true);
  assert.equal(selects({ key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' }), true);
  assert.equal(selects({ key: '.spec.containers.[].image', operator: 'Exists' }), false);
  assert.equal(selects({ jq: { key: '.spec.containers.[].name', operator: 'In', values: ['b'] } }), true);
  assert.equal(selects({ key: phase, operator: 'Exists' }, { key: phase, operator: 'In', values: ['Failed'] }), false);
});

test('an expression of jq that fails on an object has no results for a Stage', () => {
  const key = '.status.missing.[].name';
  assert.equal(selects({ key, operator: 'Exists' }), false);
  assert.equal(selects({ key, operator: 'NotIn', values: ['a'] }), true);
});

test('a Stage without a selector selects nothing', () => {
  const none = compileStage({ metadata: { name: 'none' }, spec: { resourceRef: { kind: 'Pod' }, next: {} } });
  assert.equal(none.selects(look()), false);
});

test('a Stage selects objects by expressions of CEL, with the functions of KWOK', () => {
  const cel = (expression: string) => selects({ cel: { expression } });
  assert.equal(cel('self.status.phase == "Running" && size(self.spec.containers) == 2'), true);
  assert.equal(cel('has(self.metadata.deletionTimestamp)'), false);
  assert.equal(cel('SinceSecond(self) == 60.0 && Rand() < 1.0'), true);
  assert.equal(cel('Now() - duration("1m") == timestamp(self.metadata.creationTimestamp)'), true);
  assert.equal(cel('UnixSecond(self.metadata.creationTimestamp) == 1767225540.0'), true);
  assert.throws(() => cel('self.status.missing.name == "a"'), /CEL: no such key: missing/);
  assert.throws(() => cel('self.spec.replicas'), /must evaluate to bool/);
  assert.throws(() => cel('self.'), /CEL: .*Syntax error/s);
  assert.throws(
    () =>
      cel(
        'self.spec.containers.all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, e > 0)))))',
      ),
    BudgetError,
  );
});

test('an invalid Stage is reported when it is compiled', () => {
  assert.throws(() => selects({ key: '.a |', operator: 'Exists' }), /the expression ends unexpectedly/);
  assert.throws(() => selects({ key: '.a', operator: 'In' }), /values must not be empty for In/);
  assert.throws(() => selects({ key: '.a', operator: 'Exists', values: ['a'] }), /values must be empty for Exists/);
  assert.throws(() => selects({ key: '.a', operator: 'Like' }), /operator "Like" is not supported/);
  assert.throws(() => stage({ next: { statusTemplate: '{{ if }}' } }), /missing value for command/);
  assert.throws(() => stage({ next: { patches: [{ type: 'apply' }] } }), /patch type "apply" is not supported/);
  assert.throws(() => stage({ resourceRef: { apiGroup: 'a/b/c', kind: 'Pod' } }), /is not a group and version/);
});

test('an expression of a Stage never takes more steps than it may', () => {
  const endless = stage({ selector: { matchExpressions: [{ key: '[range(1e9)] | length', operator: 'Exists' }] } });
  assert.throws(() => endless.selects(look()), BudgetError);
});

test('the weight of a Stage is fixed or taken from the object', () => {
  const weight = (weightFrom: ExpressionFrom) => stage({ weight: 2, weightFrom }).weight(look());
  assert.equal(stage({ weight: 2 }).weight(look()), 2);
  assert.equal(weight({ expressionFrom: '.metadata.annotations.weight' }), 7);
  assert.equal(weight({ jq: { expression: '.spec.replicas' } }), 3);
  assert.equal(weight({ cel: { expression: 'size(self.spec.containers)' } }), 2);
  assert.equal(weight({ expressionFrom: '.metadata.annotations.missing' }), 2);
  assert.equal(weight({ expressionFrom: '.metadata.annotations.none' }), undefined);
  assert.equal(weight({ expressionFrom: '.metadata.annotations.delay' }), undefined);
});

test('the delay of a Stage is fixed or taken from the object, as a duration or a time', () => {
  const delay = (given: StageDelay) => stage({ delay: given }).delay(look());
  const from = (name: string) => ({ expressionFrom: `.metadata.annotations.${name}` });
  assert.equal(stage().delay(look()), 0);
  assert.equal(delay({ durationMilliseconds: 1_500 }), 1_500);
  assert.equal(delay({ durationMilliseconds: 1_500, durationFrom: from('delay') }), 90_000);
  assert.equal(delay({ durationFrom: from('until') }), 20_000);
  assert.equal(delay({ durationMilliseconds: 1_500, durationFrom: from('missing') }), 1_500);
  assert.equal(delay({ durationMilliseconds: 1_500, durationFrom: from('none') }), 0);
  assert.equal(delay({ durationFrom: { cel: { expression: 'duration("5s")' } } }), 5_000);
});

test('the jitter of a Stage is the longest delay, or the delay if it is shorter', () => {
  const between = stage({ delay: { durationMilliseconds: 1_000, jitterDurationMilliseconds: 5_000 } });
  const delays = Array.from({ length: 50 }, () => between.delay(look()));
  const drawn = look();
  for (let draws = 0; draws < 50; draws++) delays.push(between.delay(drawn));
  assert.ok(delays.every((ms) => ms >= 1_000 && ms < 5_000));
  assert.ok(new Set(delays).size > 40);
  assert.equal(stage({ delay: { durationMilliseconds: 1_000, jitterDurationMilliseconds: 200 } }).delay(look()), 200);
});

test('among Stages that select an object, one is chosen by weight', () => {
  const random = new SeededRandom(7);
  const [one, two, three] = ['one', 'two', 'three'].map((name) => stage({}, name));
  const counts = (weights: readonly (number | undefined)[]) => {
    const candidates = [one!, two!, three!].map((each, index) => ({ stage: each, weight: weights[index] }));
    const names = Array.from({ length: 300 }, () => chosenStage(candidates, random)?.name ?? '');
    return ['one', 'two', 'three'].map((name) => names.filter((each) => each === name).length);
  };
  const [few = 0, many = 0, none] = counts([1, 9, 0]);
  assert.ok(few > 10 && many > 200 && none === 0);
  assert.ok(counts([0, 0, 0]).every((count) => count > 60));
  assert.ok(counts([undefined, undefined, undefined]).every((count) => count > 60));
  assert.deepEqual(counts([undefined, 0, undefined]), [0, 300, 0]);
  assert.equal(chosenStage([{ stage: one!, weight: 0 }], random), one);
  assert.equal(chosenStage([], random), undefined);
});
