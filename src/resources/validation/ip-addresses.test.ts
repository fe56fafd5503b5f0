import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import {
  cidrContains,
  cidrWarnings,
  formatCidr,
  formatIp,
  ipWarnings,
  legacyAddresses,
  parseCidr,
  parseIp,
  validateEndpointIp,
  validateStrictCidr,
  validateStrictIp,
} from './ip-addresses.ts';

describe('IP addresses', () => {
  for (const [text, canonical] of [
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.010', '10.0.0.10'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ] as const) {
    test(`the IP address ${text} is parsed, and formatted in its canonical form`, () => {
      const address = parseIp(text);
      assert.ok(address !== undefined);
      assert.equal(formatIp(address), canonical);
    });
  }

  for (const text of ['', '10.0.0', '10.0.0.256', '1.2.3.4.5', ':::', '1::2::3', '1:2:3:4:5:6:7', 'g::', '10.0.0.1 ']) {
    test(`IP addresses do not include ${JSON.stringify(text)}`, () => assert.equal(parseIp(text), undefined));
  }
});

describe('CIDRs', () => {
  test('CIDRs begin at their first address', () => {
    const block = parseCidr('10.1.2.3/8');
    assert.ok(block !== undefined);
    assert.equal(formatCidr(block), '10.0.0.0/8');
    assert.ok(cidrContains(block, parseIp('10.255.0.1')!));
    assert.ok(!cidrContains(block, parseIp('11.0.0.1')!));
    assert.ok(!cidrContains(block, parseIp('::1')!));
  });

  for (const text of ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/-1', '/8']) {
    test(`CIDRs do not include ${text}`, () => assert.equal(parseCidr(text), undefined));
  }
});

describe('validation of IP addresses and CIDRs', () => {
  const words = (found: readonly Parameters<typeof fieldErrorBody>[0][]) => found.map((error) => fieldErrorBody(error));

  for (const [text, said] of [
    ['192.0.2.1', []],
    ['0.0.0.0', ['Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)']],
    ['127.9.9.9', ['Invalid value: "127.9.9.9": may not be in the loopback range (127.0.0.0/8, ::1/128)']],
    ['fe80::1', ['Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)']],
    ['x', ['Invalid value: "x": must be a valid IP address']],
  ] as const) {
    test(`validation of IP addresses and CIDRs checks an endpoint at ${text}`, () =>
      assert.deepEqual(words(validateEndpointIp(text, 'ip')), said));
  }

  test('validation of IP addresses and CIDRs accepts one spelling of an address where it is strict', () => {
    assert.deepEqual(words(validateStrictIp('192.0.2.077', 'name')), [
      'Invalid value: "192.0.2.077": must not have leading 0s',
    ]);
    assert.deepEqual(words(validateStrictIp('2001:DB8::1', 'name')), [
      'Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
    ]);
    assert.deepEqual(words(validateStrictCidr('10.0.0.1/24', 'cidr')), [
      'Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length',
    ]);
    assert.deepEqual(validateStrictCidr('2001:db8::/64', 'cidr'), []);
  });

  test('validation of IP addresses and CIDRs warns about ambiguous spellings that it accepts', () => {
    assert.deepEqual(ipWarnings('010.0.0.1', 'a'), [
      'a: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ]);
    assert.deepEqual(ipWarnings('2001:DB8::1', 'a'), [
      'a: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ]);
    assert.deepEqual(cidrWarnings('10.0.0.5/8', 'a'), [
      'a: CIDR value "10.0.0.5/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.5/32"?)',
    ]);
    assert.deepEqual(cidrWarnings('10.0.0.0/8', 'a'), []);
  });
});

describe('IP fields with legacy validation', () => {
  const words = (found: readonly Parameters<typeof fieldErrorBody>[0][]) => found.map((each) => fieldErrorBody(each));
  const strict = { gateEnabled: (gate: string) => gate === 'StrictIPCIDRValidation' };
  const blocks = ['010.0.0.0/8', '10.0.0.0/08', '::ffff:10.0.0.0/104', '10.0.0.1/8', 'FD00::/8'];

  test('IP fields with legacy validation accept ambiguous spellings', () => {
    const { ip, cidr } = legacyAddresses({});
    assert.deepEqual([...ip('010.0.0.1', 'a'), ...blocks.flatMap((block) => cidr(block, 'a'))], []);
  });

  test('IP fields with legacy validation reject ambiguous spellings with the gate StrictIPCIDRValidation', () => {
    const { ip, cidr } = legacyAddresses(strict);
    assert.deepEqual(words(['010.0.0.1', '::ffff:1.2.3.4', 'FD00::1'].flatMap((text) => ip(text, 'a'))), [
      'Invalid value: "010.0.0.1": must not have leading 0s',
      'Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ]);
    assert.deepEqual(words(blocks.flatMap((block) => cidr(block, 'a'))), [
      'Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length',
      'Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length',
      'Invalid value: "::ffff:10.0.0.0/104": must not have an IPv4-mapped IPv6 address',
      'Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ]);
  });

  test('IP fields with legacy validation keep a stored value in any spelling', () => {
    const { ip, cidr } = legacyAddresses(strict, ['010.0.0.1', '10.0.0.1/8']);
    assert.deepEqual([...ip('010.0.0.1', 'a'), ...cidr('10.0.0.1/8', 'a')], []);
  });
});
