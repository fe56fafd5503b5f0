import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostAndPort } from './host-port.ts';

test('a host and a port are joined by a colon, with an IPv6 address in brackets', () => {
  assert.equal(hostAndPort({ host: 'api.example.com', port: 443 }), 'api.example.com:443');
  assert.equal(hostAndPort({ host: '10.0.0.1', port: 6443 }), '10.0.0.1:6443');
  assert.equal(hostAndPort({ host: 'fd00::1', port: 6443 }), '[fd00::1]:6443');
});
