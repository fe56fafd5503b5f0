import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedAreas } from '../test/conformance/scenario.ts';
import { transcript, transcriptOf } from './transcript.ts';

test('a scenario reads as a conversation: requests, bodies, answers', () => {
  const text = transcript({
    id: 'crud/example',
    title: 'an object is created and watched',
    steps: [
      {
        method: 'POST',
        path: '/api/v1/pods',
        query: { dryRun: 'All' },
        body: { kind: 'Pod' },
        expect: { status: 201 },
      },
      { do: 'sleep', ms: 5 },
      { do: 'watch', path: '/api/v1/pods', as: 'pods' },
      { do: 'close', from: 'pods' },
    ],
  });
  assert.equal(
    text,
    `crud/example: an object is created and watched

1. POST /api/v1/pods?dryRun=All
   > {
   >   "kind": "Pod"
   > }
   answer 201

2. 5 ms pass

3. GET /api/v1/pods
   (watch, called pods)

4. the client ends pods`,
  );
});

test('every scenario of every area can be printed, and areas list them', () => {
  for (const area of recordedAreas()) {
    const [first = ''] = transcriptOf(area).split('\n');
    const [id = ''] = first.split('  ');
    assert.match(transcriptOf(id), new RegExp(`^${id}: `));
  }
});

test('what has not been recorded is an error that says what there is', () => {
  assert.throws(() => transcriptOf('nowhere'), /no area is called nowhere; there are admission, /);
  assert.throws(() => transcriptOf('crud/nothing'), /crud\/nothing has not been recorded/);
});
