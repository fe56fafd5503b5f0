import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from '../../../api/object.ts';
import { dropDeallocatedDevices } from './claim-devices.ts';
import type { ResourceClaim, ResourceClaimStatus } from './v1beta2-objects.ts';

const device = (name: string, shareID?: string) => ({
  driver: 'd',
  pool: 'p',
  device: name,
  ...(shareID !== undefined && { shareID }),
});
const claim = (status: ResourceClaimStatus) => ({ metadata: { name: 'c' }, status }) as Draft<ResourceClaim>;
const given = (...results: ReturnType<typeof device>[]) => ({ devices: { results } });

test('the status of a device is dropped when the device is deallocated, and that of an unknown one is kept', () => {
  const devices = [device('a'), device('b'), device('a', 'x'), device('other')];
  const previous = claim({ allocation: given(device('a'), device('b'), device('a', 'x')), devices });
  const next = claim({ allocation: given(device('b')), devices });
  dropDeallocatedDevices(next, previous);
  assert.deepEqual(next.status?.devices, [device('b'), device('other')]);

  const freed = claim({ devices: devices.slice(0, 3) });
  dropDeallocatedDevices(freed, previous);
  assert.deepEqual(freed.status, {});
});
