import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certificatesFault } from './certificate.ts';

/** An element in DER: its tag, and its content as bytes, one character each. */
function element(tag: number, ...contents: string[]): string {
  const content = contents.join('');
  return String.fromCharCode(tag, content.length) + content;
}

const sequence = (...contents: string[]) => element(0x30, ...contents);
const serial = element(0x02, '\x01');
const algorithm = sequence(element(0x06, '\x2a'));
const name = sequence();
const time = element(0x17, '240101000000Z');
const validity = sequence(time, time);
const key = sequence(algorithm, element(0x03, '\0'));
const signature = element(0x03, '\0');

const version3 = element(0xa0, element(0x02, '\x02'));
const extension = sequence(element(0x06, '\x55\x1d\x13'), element(0x04, ''));

const certificate = (...members: string[]) => sequence(sequence(...members), algorithm, signature);
const whole = [serial, algorithm, name, validity, name, key];

describe('PEM certificates', () => {
  it('PEM certificates are parsed one after another', () => {
    assert.equal(certificatesFault(certificate(...whole)), undefined);
    assert.equal(certificatesFault(certificate(...whole) + certificate(version3, ...whole)), undefined);
  });

  const faults: [string, string][] = [
    ['\x30\x05\x01', 'x509: malformed certificate'],
    [sequence(), 'x509: malformed tbs certificate'],
    [certificate(), 'x509: malformed serial number'],
    [certificate(element(0x02, '\x81')), 'x509: negative serial number'],
    [certificate(element(0xa0, element(0x02, '\x03')), serial), 'x509: invalid version'],
    [certificate(serial), 'x509: malformed signature algorithm identifier'],
    [
      certificate(serial, sequence(element(0x06, '\x2b'))),
      "x509: inner and outer signature algorithm identifiers don't match",
    ],
    [certificate(serial, algorithm), 'x509: malformed issuer'],
    [certificate(serial, algorithm, name), 'x509: malformed validity'],
    [certificate(serial, algorithm, name, sequence(serial)), 'x509: unsupported time format'],
    [certificate(serial, algorithm, name, sequence(element(0x17, 'A'))), 'x509: malformed UTCTime'],
    [certificate(serial, algorithm, name, validity, name), 'x509: malformed spki'],
    [
      certificate(version3, ...whole, element(0xa3, sequence(extension, extension))),
      'x509: certificate contains duplicate extension with OID "2.5.29.19"',
    ],
    [sequence(sequence(...whole), algorithm), 'x509: malformed signature'],
  ];
  for (const [bytes, fault] of faults) {
    it(`PEM certificates are rejected: ${fault}`, () => assert.equal(certificatesFault(bytes), fault));
  }
});
