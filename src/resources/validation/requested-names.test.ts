import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonNameOf, der, pemOf, requestOf } from '../../../test/signing-request.ts';
import { requestedNames } from './requested-names.ts';

const EXTENSION_REQUEST = '\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e';

/** A request with these alternative names. */
function withNames(...names: readonly string[]): string {
  const extension = der(0x30, der(0x06, '\x55\x1d\x11'), der(0x04, der(0x30, ...names)));
  const attribute = der(0x30, der(0x06, EXTENSION_REQUEST), der(0x31, der(0x30, extension)));
  const key = der(0x30, der(0x30, der(0x06, '\x2a\x03')), der(0x03, '\0'));
  const info = der(0x30, der(0x02, '\0'), der(0x30, commonNameOf('n')), key, der(0xa0, attribute));
  return pemOf(der(0x30, info, der(0x30, der(0x06, '\x2a\x03')), der(0x03, '\0')));
}

test('the alternative names of a certificate request are separated by type', () => {
  const text = withNames(
    der(0x82, 'n.example'),
    der(0x87, '\x0a\x00\x00\x01'),
    der(0x81, 'a@b'),
    der(0x86, 'spiffe://x'),
  );
  assert.deepEqual(requestedNames(text), {
    dns: ['n.example'],
    addresses: ['\x0a\x00\x00\x01'],
    emails: ['a@b'],
    uris: ['spiffe://x'],
  });
});

test('a certificate request without the extension asks for no alternative names', () => {
  const none = { dns: [], addresses: [], emails: [], uris: [] };
  assert.deepEqual(requestedNames(pemOf(requestOf(commonNameOf('n')))), none);
});
