import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountOf, amountsIn } from './amounts.ts';

test('CPU counts in thousandths, everything else in whole units rounded up', () => {
  assert.equal(amountOf('cpu', '250m'), 250);
  assert.equal(amountOf('cpu', '1.5'), 1500);
  assert.equal(amountOf('cpu', '2'), 2000);
  assert.equal(amountOf('memory', '64Mi'), 64 * 2 ** 20);
  assert.equal(amountOf('memory', '1500m'), 2);
  assert.equal(amountOf('memory', '1.5Gi'), 1.5 * 2 ** 30);
  assert.equal(amountOf('memory', '1e3'), 1000);
});

test('the scheduler counts extended resources and huge pages, and no unknown names', () => {
  const amounts = amountsIn({ cpu: '1', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi', unknown: '3' });
  assert.deepEqual([...amounts.keys()], ['cpu', 'example.com/gpu', 'hugepages-2Mi']);
});
