import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advertisedAddress, type InterfaceAddress } from './advertised-address.ts';

const MACHINE: InterfaceAddress[] = [
  { address: '127.0.0.1', family: 'IPv4' },
  { address: 'fe80::1', family: 'IPv6' },
  { address: '2001:db8::7', family: 'IPv6' },
  { address: '192.0.2.7', family: 'IPv4' },
];

const cases: [bindAddress: string, advertiseAddress: string | undefined, address: string | undefined][] = [
  ['127.0.0.1', undefined, '192.0.2.7'],
  ['::1', undefined, '192.0.2.7'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.7', undefined, '192.0.2.7'],
  ['192.0.2.7', '127.0.0.1', undefined],
  ['0.0.0.0', undefined, '192.0.2.7'],
  ['::', undefined, '192.0.2.7'],
  ['0.0.0.0', '198.51.100.1', '198.51.100.1'],
];

test('the advertised address is that of the flags, or the first external one of the machine', () => {
  for (const [bindAddress, advertiseAddress, address] of cases) {
    const found = advertisedAddress({ bindAddress, advertiseAddress }, () => MACHINE);
    assert.equal(found, address, `${bindAddress} ${advertiseAddress}`);
  }
});

test('the advertised address of a machine with IPv6 only is an IPv6 address, and without a network there is none', () => {
  const options = { bindAddress: '::', advertiseAddress: undefined };
  const addresses = MACHINE.filter(({ family }) => family === 'IPv6');
  assert.equal(
    advertisedAddress(options, () => addresses),
    '2001:db8::7',
  );
  assert.equal(
    advertisedAddress(options, () => []),
    undefined,
  );
});
