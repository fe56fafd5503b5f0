import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Activity } from './activity.ts';

test('an activity has settled once its work has ended, with the work that this work began', async () => {
  const activity = new Activity(nextTurn);
  const ended: string[] = [];
  activity.begin();
  setImmediate(() => {
    ended.push('first');
    activity.end();
    setImmediate(() => {
      activity.begin();
      setImmediate(() => {
        ended.push('second');
        activity.end();
      });
    });
  });
  await activity.settled();
  assert.deepEqual(ended, ['first', 'second']);
});

test('a failed promise is no longer part of an activity', async () => {
  const activity = new Activity(nextTurn);
  await assert.rejects(activity.during(Promise.reject(new Error('lost'))), /lost/);
  await activity.settled();
});
