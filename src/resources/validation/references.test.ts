// Names, URLs and certificates in fields.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pemOf, requestOf } from '../../../test/signing-request.ts';
import { type FieldError, fieldErrorBody } from '../../api/errors.ts';
import { keyPairWarnings, validateCertificateChain, validateCertificateRequest } from './certificates.ts';
import { validateDomainPrefixedPath, validateQualifiedDomain, validateSignerName } from './hosts.ts';
import { portNameFaults } from './port-rules.ts';
import { validateWebhookService } from './service-references.ts';
import { validateWebhookUrl } from './webhook-url.ts';

const words = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

/** Rows of a value and what is said of it, in part; nothing for what is accepted. */
function table(rule: (text: string) => readonly string[], rows: readonly (readonly [text: string, said: string])[]) {
  for (const [text, said] of rows) {
    test(`validation of names, URLs and certificates checks ${JSON.stringify(text)}: ${said === '' ? 'valid' : said}`, () => {
      const [first = '', ...more] = rule(text);
      assert.ok(said === '' ? first === '' : first.includes(said), first);
      if (said === '') assert.deepEqual(more, []);
    });
  }
}

describe('validation of names', () => {
  table(
    (text) => words(validateQualifiedDomain(text, 'name')),
    [
      ['a.example.com', ''],
      ['example.com', 'at least three segments'],
      ['A.example.com', 'lowercase RFC 1123 subdomain'],
      ['', 'Required value'],
    ],
  );
  table(
    (text) => words(validateDomainPrefixedPath(text, 'controller')),
    [
      ['acme.io/foo', ''],
      ['acme.io', 'must be a domain-prefixed path'],
      ['/foo', 'must be a domain-prefixed path'],
      ['acme.io/a b', 'Invalid path'],
    ],
  );
  table(
    (text) => words(validateSignerName(text, 'signer')),
    [
      ['example.com/signer', ''],
      ['example.com', 'must be a fully qualified domain and path'],
      ['example.com/a/b', 'must be a fully qualified domain and path'],
      ['example/signer', 'at least two segments'],
      ['example.com/', 'validating label ""'],
      ['', 'Required value'],
    ],
  );
  table(portNameFaults, [
    ['http', ''],
    ['a-very-long-port-name', 'no more than 15'],
    ['HTTP', 'must contain only alpha-numeric'],
    ['80', 'at least one letter'],
    ['a--b', 'consecutive hyphens'],
    ['-a', 'begin or end with a hyphen'],
  ]);
});

describe('validation of URLs', () => {
  table(
    (text) => words(validateWebhookUrl(text, 'url')),
    [
      ['https://example.com/check', ''],
      ['https://192.0.2.1:8443', ''],
      ['http://example.com', `"http": 'https' is the only allowed URL scheme`],
      ['https:///check', 'host must be specified'],
      ['https://user:word@example.com', '"user:word": user information is not permitted'],
      ['https://example.com?a=b', '"a=b": query parameters are not permitted'],
      ['https://example.com#part', '"part": fragments are not permitted'],
      ['', `"": 'https' is the only allowed`],
    ],
  );
  table(
    (path) => words(validateWebhookService({ name: 'a', namespace: 'b', path }, 'service')),
    [
      ['/', ''],
      ['/check/all', ''],
      ['check', "must start with a '/'"],
      ['/a//b', 'segment[1] may not be empty'],
      ['//', 'segment[0] may not be empty'],
    ],
  );
  test('the path of a service without a slash is checked behind its first byte', () => {
    const [, second] = words(validateWebhookService({ name: 'a', namespace: 'b', path: 'ä' }, 'service'));
    assert.match(second ?? '', /segment\[0\]: a lowercase RFC 1123 subdomain/);
  });
  test('validation of URLs requires the name and namespace of a service, and a valid port', () => {
    assert.deepEqual(words(validateWebhookService({ port: 0 }, 's')), [
      's.name: Required value',
      's.namespace: Required value',
      's.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
    ]);
  });
});

describe('validation of certificates', () => {
  const pem = (type: string, bytes: string) => `-----BEGIN ${type}-----\n${btoa(bytes)}\n-----END ${type}-----\n`;
  const sequence = '\x30\x03\x02\x01\x05';

  test('validation of certificates requires a certificate request with its PEM type', () => {
    assert.deepEqual(
      validateCertificateRequest(pemOf(requestOf()), { value: 'x', field: 'request', verify: undefined }),
      [],
    );
    assert.deepEqual(
      words(
        validateCertificateRequest(pem('CERTIFICATE', sequence), { value: 'x', field: 'request', verify: undefined }),
      ),
      ['request: Invalid value: "x": PEM block type must be CERTIFICATE REQUEST'],
    );
    assert.equal(
      validateCertificateRequest(pem('CERTIFICATE REQUEST', 'text'), {
        value: 'x',
        field: 'request',
        verify: undefined,
      }).length,
      1,
    );
  });

  table(
    (text) => words(validateCertificateChain(text, 'certificate')),
    [
      [pem('CERTIFICATE', sequence).repeat(2), 'x509: malformed tbs certificate'],
      [pem('CERTIFICATE', ''), 'found CERTIFICATE PEM block containing 0 certificates'],
      ['', 'must contain at least one CERTIFICATE PEM block'],
      [pem('PRIVATE KEY', sequence), 'only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"'],
      [pem('CERTIFICATE', `${sequence}more`), 'x509: malformed certificate'],
    ],
  );

  test("validation of certificates warns about a certificate and a key in each other's place", () => {
    const [certificate, key] = [pem('CERTIFICATE', sequence), pem('EC PRIVATE KEY', sequence)];
    assert.deepEqual(keyPairWarnings(certificate, key), []);
    assert.match(keyPairWarnings('', key)[0] ?? '', /failed to find any PEM data in certificate input/);
    assert.match(keyPairWarnings(key, key)[0] ?? '', /PEM inputs may have been switched/);
    assert.match(keyPairWarnings(certificate, certificate)[0] ?? '', /found a certificate rather than a key/);
  });
});
