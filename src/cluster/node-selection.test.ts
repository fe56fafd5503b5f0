import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNode, makePod } from '../../test/scheduling-objects.ts';
import { matchesRequired, matchesTerm } from './node-selection.ts';

const node = makeNode('one', { labels: { disk: 'ssd', cores: '8' } });
const matches = (key: string, operator: string, ...values: string[]) =>
  matchesTerm({ matchExpressions: [{ key, operator, values }] }, node);

test('the operators of node selector terms compare labels of nodes', () => {
  assert.equal(matches('disk', 'In', 'hdd', 'ssd'), true);
  assert.equal(matches('disk', 'NotIn', 'ssd'), false);
  assert.equal(matches('missing', 'NotIn', 'ssd'), true);
  assert.equal(matches('disk', 'Exists'), true);
  assert.equal(matches('constructor', 'DoesNotExist'), true);
  assert.equal(matches('cores', 'Gt', '7'), true);
  assert.equal(matches('cores', 'Lt', '8'), false);
  assert.equal(matches('disk', 'Gt', '7'), false);
});

test('a node selector term may name the node, and one without requirements matches nothing', () => {
  const named = (value: string) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [value] }] });
  assert.equal(matchesTerm(named('one'), node), true);
  assert.equal(matchesTerm(named('two'), node), false);
  assert.equal(matchesTerm({}, node), false);
});

test('a pod requires both its nodeSelector and one term of its node affinity', () => {
  const pod = (disk: string, cores: string) =>
    makePod('p', {
      spec: {
        nodeSelector: { disk },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'cores', operator: 'In', values: [cores] }] }],
            },
          },
        },
      },
    });
  assert.equal(matchesRequired(pod('ssd', '8'), node), true);
  assert.equal(matchesRequired(pod('hdd', '8'), node), false);
  assert.equal(matchesRequired(pod('ssd', '4'), node), false);
});
