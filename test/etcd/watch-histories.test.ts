import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultyServer } from './faulty-server.ts';
import { assertComplete, type SeenEvent, WatchHistory } from './watch-histories.ts';

const event = (revision: number): SeenEvent => ({ text: `MODIFIED a@${revision}`, revision });
const happened = [11, 12, 13, 14].map(event);

function seen(after: number, ...revisions: number[]): WatchHistory {
  const history = new WatchHistory('/path', () => assert.fail() as unknown as FaultyServer);
  history.stretches.push({ after, events: revisions.map(event) });
  return history;
}

test('the history of a watch with all events between its list and its last event is complete', () => {
  assertComplete([seen(10, 11, 12), seen(12, 13, 14), seen(14)], happened, 'test');
});

const faulty: [what: string, history: WatchHistory][] = [
  ['lost an event', seen(10, 11, 13)],
  ['lost its first event', seen(10, 12)],
  ['saw an event twice', seen(10, 11, 11, 12)],
  ['saw events in another order', seen(10, 12, 11, 13)],
  ['saw what its list had shown', seen(11, 11, 12)],
];
for (const [what, history] of faulty) {
  test(`the check of watch histories finds a watch that ${what}`, () => {
    assert.throws(() => assertComplete([seen(10, 11), history], happened, 'test'), assert.AssertionError);
  });
}
