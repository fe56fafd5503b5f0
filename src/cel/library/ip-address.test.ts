// Tests of IP addresses: syntax, canonical form and kind.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type IpAddress, readAddress } from './ip-address.ts';
import { type IpPrefix, readPrefix } from './ip-prefix.ts';

function address(text: string): IpAddress {
  const read = readAddress(text);
  assert.ok(typeof read !== 'string', String(read));
  return read.address;
}

function prefix(text: string): IpPrefix {
  const read = readPrefix(text);
  assert.ok(typeof read !== 'string', String(read));
  return read;
}

describe('parsing of an IP address in CEL', () => {
  const canonical: Readonly<Record<string, string>> = {
    '10.0.0.1': '10.0.0.1',
    '2001:DB8:0:0:0:0:0:1': '2001:db8::1',
    '1:0:0:2:0:0:0:3': '1:0:0:2::3',
    '1:0:2:0:3:0:4:0': '1:0:2:0:3:0:4:0',
    '0:0:1::': '0:0:1::',
    '64:ff9b::1.2.3.4': '64:ff9b::102:304',
    '::': '::',
  };
  for (const [text, expected] of Object.entries(canonical)) {
    it(`parsing of an IP address in CEL formats ${text} as ${expected}`, () =>
      assert.equal(address(text).toString(), expected));
  }

  const refused: Readonly<Record<string, string>> = {
    '1.2.3': 'ParseAddr("1.2.3"): IPv4 address too short',
    '1.2.3.04': 'ParseAddr("1.2.3.04"): IPv4 field has octet with leading zero',
    '1..2.3': 'ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")',
    '1:2:3': 'ParseAddr("1:2:3"): address string too short',
    '1::2::3': 'ParseAddr("1::2::3"): multiple :: in address (at ":3")',
    '1:2:3:4:5:6:7:8::': 'ParseAddr("1:2:3:4:5:6:7:8::"): the :: must expand to at least one field of zeros',
    'fe80::1%': 'ParseAddr("fe80::1%"): zone must be a non-empty string',
    localhost: 'ParseAddr("localhost"): unable to parse IP',
  };
  for (const [text, reason] of Object.entries(refused)) {
    it(`parsing of an IP address in CEL rejects ${text}`, () => assert.equal(readAddress(text), reason));
  }

  it('parsing of an IP address in CEL separates the zone', () => {
    assert.deepEqual(readAddress('fe80::1%eth0'), { address: address('fe80::1'), zone: 'eth0' });
  });
});

describe('an IP address in CEL', () => {
  it('an IP address in CEL recognizes special addresses', () => {
    assert.ok(address('127.1.2.3').isLoopback && address('::1').isLoopback);
    assert.ok(address('224.0.0.9').isLinkLocalMulticast && address('ff32::1').isLinkLocalMulticast);
    assert.ok(!address('224.0.1.9').isLinkLocalMulticast && address('224.0.1.9').isMulticast);
    assert.ok(address('febf::1').isLinkLocalUnicast && !address('fec0::1').isLinkLocalUnicast);
    assert.ok(address('10.0.0.1').isGlobalUnicast && !address('255.255.255.255').isGlobalUnicast);
    assert.ok(address('::ffff:10.0.0.1').isMapped && !address('::fffe:10.0.0.1').isMapped);
  });

  it('an IP address in CEL has the size of its bytes', () => {
    assert.deepEqual([address('10.0.0.1').size, address('::1').size], [4, 16]);
  });
});

describe('a CIDR in CEL', () => {
  it('a CIDR in CEL contains addresses of the same family that share its prefix', () => {
    assert.ok(prefix('10.1.0.0/15').contains(address('10.0.255.255')));
    assert.ok(!prefix('10.1.0.0/15').contains(address('10.2.0.0')));
    assert.ok(prefix('2001:db8:8000::/33').contains(address('2001:db8:ffff::')));
    assert.ok(!prefix('0.0.0.0/0').contains(address('::')));
    assert.ok(prefix('10.0.0.0/8').containsPrefix(prefix('10.1.0.0/16')));
    assert.ok(!prefix('10.1.0.0/16').containsPrefix(prefix('10.0.0.0/8')));
  });

  it('a CIDR in CEL is masked to its prefix length', () => {
    assert.equal(prefix('10.255.255.255/9').masked().toString(), '10.128.0.0/9');
    assert.equal(prefix('2001:db8:ffff::1/33').masked().toString(), '2001:db8:8000::/33');
  });

  it('a CIDR in CEL rejects a sign, leading zeros and a zone', () => {
    assert.equal(readPrefix('10.0.0.0/08'), 'netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"');
    assert.equal(readPrefix('10.0.0.0/+8'), 'netip.ParsePrefix("10.0.0.0/+8"): bad bits after slash: "+8"');
    assert.equal(readPrefix('10.0.0.0/33'), 'netip.ParsePrefix("10.0.0.0/33"): prefix length out of range');
    assert.equal(
      readPrefix('fe80::1%a/8'),
      'netip.ParsePrefix("fe80::1%a/8"): IPv6 zones cannot be present in a prefix',
    );
  });
});
