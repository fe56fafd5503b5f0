import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { loadCredentials } from './credentials.ts';
import { serverOptions } from './options.ts';

test('the certificate is for the address under which other machines reach the server', () => {
  const options = serverOptions({ bindAddress: '0.0.0.0' });
  const load = (address: string | undefined) =>
    loadCredentials({ options, address, clock: new ManualClock(), log: silentLog, ephemeral: true }).tls.cert;
  assert.equal(new X509Certificate(load('192.0.2.7')).checkIP('192.0.2.7'), '192.0.2.7');
  assert.equal(new X509Certificate(load(undefined)).checkIP('192.0.2.7'), undefined);
});
