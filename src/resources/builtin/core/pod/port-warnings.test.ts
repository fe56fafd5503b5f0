import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../../../base/limits.ts';
import type { Volume } from '../volume/objects.ts';
import type { ContainerPort } from './container-objects.ts';
import { portWarnings } from './port-warnings.ts';
import { overlappingPathWarnings } from './volume-path-warnings.ts';

const COUNT = 2_000;
/** Of each item, whatever the number of items is. */
const READS = 20;

/** Items that count how often one of their members is read. */
function counted<Item extends object>(
  member: string,
  make: (index: number) => Item,
): { items: Item[]; reads: () => number } {
  let reads = 0;
  const items = Array.from({ length: COUNT }, (_, index) => {
    const item = make(index);
    const value = item[member as keyof Item];
    return Object.defineProperty(item, member, {
      get: () => {
        reads++;
        return value;
      },
    });
  });
  return { items, reads: () => reads };
}

const container = (ports: ContainerPort[]) =>
  [{ container: { name: 'c', ports }, field: 'spec.containers[0]' }] as never;

test('warnings about duplicate ports take linear time for many different ports', () => {
  const { items, reads } = counted('hostPort', (index) => ({
    containerPort: 80,
    protocol: 'TCP',
    hostPort: index + 1,
  }));
  assert.deepEqual(portWarnings(container(items as ContainerPort[])), []);
  assert.ok(reads() <= READS * COUNT, `${reads()} reads`);
});

test('warnings about duplicate ports stop when they exceed what a response may hold', () => {
  const { items, reads } = counted('hostPort', () => ({ containerPort: 80, protocol: 'TCP', hostPort: 1 }));
  const found = portWarnings(container(items as ContainerPort[]));
  assert.ok(found.join('').length > limits.warningsTotalCharacters);
  assert.ok(found.join('').length < 2 * limits.warningsTotalCharacters);
  assert.ok(reads() <= READS * COUNT, `${reads()} reads`);
});

test('warnings about overlapping paths take linear time for many different paths', () => {
  const { items, reads } = counted('path', (index) => ({ key: 'k', path: `a/${index}` }));
  const volume = { name: 'v', configMap: { name: 'm', items } } as unknown as Volume;
  assert.deepEqual(overlappingPathWarnings([volume]), []);
  assert.ok(reads() <= READS * COUNT, `${reads()} reads`);
});

test('warnings about overlapping paths stop when they exceed what a response may hold', () => {
  const items = Array.from({ length: COUNT }, (_, index) => ({ key: 'k', path: index === 0 ? 'a' : `a/${index}` }));
  const [first = '', ...others] = overlappingPathWarnings([{ name: 'v', configMap: { name: 'm', items } } as never]);
  assert.equal(first, 'volume "v" (ConfigMap "m"): overlapping paths: "a/1" with "a"');
  assert.ok(others.join('').length < 2 * limits.warningsTotalCharacters);
});
