import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commonNameOf, der, organizationOf, pemOf, requestOf } from '../../../test/signing-request.ts';
import { certificateRequestSubject } from './certificate-request.ts';

const MASTERS = 'system:masters';
const utf16 = (text: string) => [...text].map((character) => `\0${character}`).join('');

describe('the organizations of a certificate request', () => {
  const readable: [what: string, text: string][] = [
    ['UTF-8', pemOf(requestOf(organizationOf(0x0c, MASTERS)))],
    ['ASCII', pemOf(requestOf(organizationOf(0x13, MASTERS)))],
    ['UTF-16', pemOf(requestOf(organizationOf(0x1e, utf16(MASTERS))))],
    ['in UTF-16 with a terminator', pemOf(requestOf(organizationOf(0x1e, `${utf16(MASTERS)}\0\0`)))],
    ['after PEM headers', pemOf(requestOf(organizationOf(0x0c, MASTERS)), 'X-Note: hello\n')],
    ['after PEM headers and an empty line', pemOf(requestOf(organizationOf(0x0c, MASTERS)), 'A: b\nC: d\n\n')],
    ['after other text', `hello\n${pemOf(requestOf(organizationOf(0x0c, MASTERS)))}bye`],
    ['after a PEM header without an end', `-----BEGIN X-----\n${pemOf(requestOf(organizationOf(0x0c, MASTERS)))}`],
  ];
  for (const [what, text] of readable) {
    test(`the organizations of a certificate request are read: ${what}`, () =>
      assert.deepEqual(certificateRequestSubject(text).organizations, [MASTERS]));
  }

  test('the organizations of a certificate request are all read, and the common name is the last one', () => {
    const long = 'x'.repeat(300);
    const subject = [organizationOf(0x0c, 'a'), commonNameOf('b'), organizationOf(0x0c, long), commonNameOf('c')];
    const expected = { organizations: ['a', long], commonName: 'c' };
    assert.deepEqual(certificateRequestSubject(pemOf(requestOf(...subject))), expected);
  });
});

describe('the parser of certificate requests', () => {
  const whole = requestOf(organizationOf(0x0c, MASTERS));
  const refused: [what: string, text: string, message: RegExp][] = [
    ['a text without PEM', 'none', /^PEM block type must be CERTIFICATE REQUEST$/],
    ['another PEM type', pemOf(whole).replaceAll(' REQUEST', ''), /^PEM block type must be CERTIFICATE REQUEST$/],
    ['another PEM type before the request', pemOf('').replaceAll(' REQUEST', '') + pemOf(whole), /^PEM block type/],
    ['a block without DER', pemOf('text'), /^asn1: /],
    ['truncated DER', pemOf(whole.slice(0, -1)), /^asn1: syntax error: data truncated$/],
    ['trailing data', pemOf(`${whole}\x05\x00`), /^asn1: syntax error: trailing data$/],
    ['a non-minimal length', pemOf(`\x30\x82\0${whole.slice(1)}`), /superfluous leading zeros in length$/],
    ['an indefinite length', pemOf(`\x30\x80${whole.slice(2)}\0\0`), /indefinite length found/],
    ['a request without a signature', pemOf(der(0x30, der(0x30), der(0x30))), /^asn1: /],
    ['invalid UTF-8', pemOf(requestOf(organizationOf(0x0c, '\xff'))), /invalid UTF-8 string$/],
    [
      'a PrintableString with other characters',
      pemOf(requestOf(organizationOf(0x13, 'a_b'))),
      /PrintableString contains/,
    ],
  ];
  for (const [what, text, message] of refused) {
    test(`the parser of certificate requests rejects ${what}`, () =>
      assert.throws(() => certificateRequestSubject(text), { message }));
  }
});

test('many PEM headers without an end are parsed in linear time', () => {
  const start = process.cpuUsage();
  for (const text of ['-----BEGIN X-----\n', '\n-----END X-----\n', '-----BEGIN X-----\n\n-----END Y-----\n']) {
    assert.throws(() => certificateRequestSubject(text.repeat(3_000_000 / text.length)));
  }
  assert.ok(process.cpuUsage(start).user < 5_000_000);
});
