import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import { planSlices } from './slice-plan.ts';

const PORTS = [{ name: 'http', protocol: 'TCP', port: 80 }];

function endpoints(from: number, to: number): Endpoint[] {
  return Array.from({ length: to - from }, (_, index) => ({
    addresses: [`10.0.0.${from + index}`],
    targetRef: { kind: 'Pod', uid: `${from + index}` },
  }));
}

function slice(name: string, list: readonly Endpoint[]): EndpointSlice {
  return { metadata: { name }, addressType: 'IPv4', ports: PORTS, endpoints: list };
}

function plan(wanted: readonly Endpoint[], existing: readonly EndpointSlice[]) {
  const groups = wanted.length === 0 ? [] : [{ ports: PORTS, endpoints: wanted }];
  const { create, update, delete: surplus } = planSlices(groups, existing, { isStale: () => false, most: 100 });
  return {
    create: create.map((group) => group.endpoints.length),
    update: update.map((each) => [each.slice.metadata.name, each.group.endpoints.length]),
    delete: surplus.map(({ metadata }) => metadata.name),
  };
}

test('EndpointSlices whose endpoints stay are left alone', () => {
  const found = plan(endpoints(0, 3), [slice('a', endpoints(0, 3))]);
  assert.deepEqual(found, { create: [], update: [], delete: [] });
});

test('new endpoints fill EndpointSlices that change anyway before others', () => {
  const existing = [slice('a', endpoints(0, 50)), slice('b', endpoints(50, 60))];
  assert.deepEqual(plan([...endpoints(1, 50), ...endpoints(50, 60), ...endpoints(60, 65)], existing).update, [
    ['a', 54],
  ]);
});

test('new endpoints go to the EndpointSlice that they make fullest', () => {
  const existing = [slice('a', endpoints(0, 10)), slice('b', endpoints(10, 90))];
  assert.deepEqual(plan(endpoints(0, 95), existing).update, [['b', 85]]);
});

test('endpoints that have no room get EndpointSlices of their own', () => {
  assert.deepEqual(plan(endpoints(0, 230), []).create, [100, 100, 30]);
});

test('an EndpointSlice that has lost all its endpoints is deleted, unless it is the last', () => {
  const existing = [slice('a', endpoints(0, 5)), slice('b', endpoints(5, 9))];
  assert.deepEqual(plan(endpoints(0, 5), existing).delete, ['b']);
  assert.deepEqual(plan([], [slice('a', endpoints(0, 5))]), { create: [], update: [['a', 0]], delete: [] });
});
