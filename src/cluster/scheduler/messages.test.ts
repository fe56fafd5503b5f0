import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventNote, unavailable } from './messages.ts';

test('the message about a pod that fits nowhere counts the nodes for each reason', () => {
  const byNode = [['Insufficient cpu'], ['Too many pods', 'Insufficient cpu'], ['node(s) were unschedulable']];
  assert.equal(
    unavailable({ nodes: 3, byNode }),
    '0/3 nodes are available: 1 Too many pods, 1 node(s) were unschedulable, 2 Insufficient cpu.',
  );
  assert.equal(
    unavailable({ nodes: 3, byNode: [['Insufficient cpu']], others: { reasons: ['not looked at'], count: 2 } }),
    '0/3 nodes are available: 1 Insufficient cpu, 2 not looked at.',
  );
});

test('the note of a FailedScheduling event has at most 1024 bytes', () => {
  assert.equal(eventNote('short'), 'short');
  const note = eventNote('é'.repeat(1000));
  assert.ok(note.endsWith('é ...'));
  assert.ok(Buffer.byteLength(note) <= 1024);
});
