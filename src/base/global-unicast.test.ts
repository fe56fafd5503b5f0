import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGlobalUnicast } from './global-unicast.ts';

test('addresses of a single other machine are global unicast', () => {
  for (const ip of ['10.1.2.3', '192.0.2.1', '8.8.8.8', '2001:db8::1', 'fd00::10.0.0.1', '::ffff:10.0.0.1', '1::']) {
    assert.equal(isGlobalUnicast(ip), true, ip);
  }
});

test('loopback, link-local, multicast and invalid addresses are not global unicast', () => {
  const refused = ['127.0.0.1', '0.0.0.0', '255.255.255.255', '169.254.1.1', '224.0.0.1', '239.255.255.255'];
  const refused6 = ['::', '::1', 'fe80::1', 'febf::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];
  const none = ['', 'localhost', '1.2.3', '1.2.3.256', '1::2::3', '1:2:3:4:5:6:7:8:9', 'g::1'];
  for (const ip of [...refused, ...refused6, ...none]) assert.equal(isGlobalUnicast(ip), false, ip);
});
