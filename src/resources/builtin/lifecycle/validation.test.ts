import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../../api/errors.ts';
import type { StrategyContext } from '../../definition.ts';
import type { Eviction, EvictionRequest, ResponderStatus, TargetResponder } from './v1alpha1-objects.ts';
import { evictionRequestRules, evictionRules } from './validation.ts';

const NOW = '2026-01-01T12:00:00Z';
const context = { nowMs: Date.parse(NOW) } as StrategyContext;
const LATER = '2026-01-01T12:10:00Z';

type States = readonly [low: string, high: string];
type Reports = readonly [low: Partial<ResponderStatus>, high: Partial<ResponderStatus>];

/** An eviction with a responder of low and one of high priority. */
function eviction(states: States, reports: Reports, conditions: readonly object[] = []): Eviction {
  const targetResponders = [
    { name: 'a.b/low', priority: 1000, state: states[0] },
    { name: 'a.b/high', priority: 2000, state: states[1] },
  ] as TargetResponder[];
  const responders = [
    { name: 'a.b/low', ...reports[0] },
    { name: 'a.b/high', ...reports[1] },
  ];
  return { metadata: { name: 'e' }, status: { targetResponders, responders, conditions } } as unknown as Eviction;
}

const NEW = { metadata: { name: 'e' } } as Eviction;
const started = { startTime: NOW };

function errors(next: Eviction, previous: Eviction): string[] {
  const found = evictionRules.subresources?.['status']?.validateUpdate?.(next, previous, context) ?? [];
  return [...found].map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}

describe('the status of an Eviction', () => {
  const active = eviction(['Inactive', 'Active'], [{}, started]);

  it('the status of an Eviction activates the responder of the highest priority first', () => {
    assert.deepEqual(errors(active, NEW), []);
    assert.deepEqual(errors(eviction(['Inactive', 'Inactive'], [{}, {}]), NEW), [
      'status.targetResponders[1].state: Invalid value: "Inactive": must be one of: Active, because this responder is next in line',
    ]);
  });

  it('the status of an Eviction moves on to the next responder when the active one has ended', () => {
    const ended = eviction(['Active', 'Completed'], [started, { ...started, completionTime: NOW }]);
    assert.deepEqual(errors(ended, eviction(['Inactive', 'Active'], [{}, { ...started, completionTime: NOW }])), []);
    const [told = ''] = errors(eviction(['Active', 'Active'], [started, started]), active);
    assert.match(told, /^status\.targetResponders\[0\]\.state: .* the previously active has not finished processing$/);
  });

  it('the status of an Eviction accepts reports of the active responder only, with times that follow one another', () => {
    const [told = ''] = errors(eviction(['Inactive', 'Active'], [{ message: 'x' }, started]), active);
    assert.match(told, /^status\.responders\[0\]: .*: field is immutable$/);
    const early = { ...started, expectedCompletionTime: '2026-01-01T11:00:00Z' };
    assert.deepEqual(errors(eviction(['Inactive', 'Active'], [{}, early]), active), [
      'status.responders[1].expectedCompletionTime: Invalid value: "2026-01-01T11:00:00Z": must occur after status.responders[1].startTime',
    ]);
    const expected = eviction(['Inactive', 'Active'], [{}, { ...started, expectedCompletionTime: LATER }]);
    assert.deepEqual(errors(expected, active), []);
  });

  it('the status of an Eviction is final once the target is evicted', () => {
    const evicted = {
      type: 'TargetEvicted',
      status: 'True',
      reason: 'PodDeleted',
      message: '',
      lastTransitionTime: NOW,
    };
    const previous = eviction(['Inactive', 'Canceled'], [{}, started], [evicted]);
    assert.deepEqual(errors(previous, previous), []);
    const back = eviction(['Inactive', 'Canceled'], [{}, started], [{ ...evicted, status: 'False' }]);
    const [told = ''] = errors(back, previous);
    assert.match(told, /^status\.conditions: .*: TargetEvicted condition status cannot be reverted$/);
  });
});

describe('an EvictionRequest', () => {
  it('an EvictionRequest cannot name a requester in a domain of Kubernetes', () => {
    const asking = (requester: string) => {
      const found = evictionRequestRules.validateCreate?.({ spec: { requester } } as EvictionRequest, context) ?? [];
      return [...found].map((error) => fieldErrorBody(error));
    };
    assert.deepEqual(asking('example.com/a'), []);
    for (const name of ['k8s.io/a', 'foo.k8s.io/a', 'kubernetes.io/a']) {
      assert.deepEqual(asking(name), [`Invalid value: "${name}": domain names *.k8s.io, *.kubernetes.io are reserved`]);
    }
  });
});
