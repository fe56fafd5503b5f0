// Tests of named formats.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../test/cel/expression-outcome.ts';
import { Environment } from '../cel/environment.ts';
import { OPTIONAL } from '../cel/library/optional.ts';
import { standardLibrary } from '../cel/library/standard/standard.ts';
import { FORMATS, FORMATS_IN_BYTES } from './format.ts';

const environment = new Environment({ libraries: [standardLibrary(), OPTIONAL, FORMATS] });
const outcome = (expression: string) => outcomeOf(expression, { environment });

const GOOD: Readonly<Record<string, string>> = {
  dns1123Label: 'contains-a-dash',
  dns1123Subdomain: 'apiextensions.k8s.io',
  dns1035Label: 'starts-with-a-letter',
  qualifiedName: 'apiextensions.k8s.io/v1beta1',
  dns1123LabelPrefix: 'prefix-',
  dns1123SubdomainPrefix: 'sub.prefix-',
  dns1035LabelPrefix: 'prefix-',
  labelValue: 'Any_Value.1',
  uri: 'http://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  byte: 'aGVsbG8=',
  date: '2024-02-29',
  datetime: '2024-02-29T00:00:00Z',
};
const BAD: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
  dns1123Label: ['a.b', /^must not contain dots$/],
  dns1123Subdomain: ['a_b', /^a lowercase RFC 1123 subdomain must consist of/],
  dns1035Label: ['1a', /^a DNS-1035 label must consist of/],
  qualifiedName: ['/a', /^prefix part must be non-empty$/],
  dns1123LabelPrefix: ['-a', /^a lowercase RFC 1123 label must consist of/],
  dns1123SubdomainPrefix: ['.a', /^a lowercase RFC 1123 subdomain must consist of/],
  dns1035LabelPrefix: ['1a-', /^a DNS-1035 label must consist of/],
  labelValue: ['a/b', /^a valid label must be an empty string or consist of/],
  uri: ['../a', /^parse "\.\.\/a": invalid URI for request$/],
  uuid: ['a', /^does not match the UUID format$/],
  byte: ['aGVsbG8', /^invalid base64$/],
  date: ['2023-02-29', /^invalid date$/],
  datetime: ['2024-01-01', /^invalid datetime$/],
};

describe('the format library in CEL', () => {
  for (const [name, text] of Object.entries(GOOD)) {
    it(`the format library in CEL validates the format ${name} with ${text}`, () => {
      assert.equal(outcome(`format.${name}().validate("${text}")`).value, 'none');
      const [bad, message] = BAD[name] ?? assert.fail();
      const { value } = outcome(`format.named("${name}").value().validate("${bad}").value()`);
      assert.ok(Array.isArray(value) && value.length === 1, name);
      assert.match(String(value[0]), message);
    });
  }

  it('the format library in CEL finds formats by name', () => {
    assert.equal(outcome('format.named("dns1123label").hasValue()').value, false);
    assert.equal(outcome('format.uuid() == format.named("uuid").value()').value, true);
    assert.equal(outcome('format.uuid() == format.date()').value, false);
  });

  it('the format library in CEL costs by the length of the pattern', () => {
    assert.equal(outcome('format.named("dns1123Subdomain").value().validate("my-name")').cost, 17);
    assert.equal(outcome('format.named("dns1123Label").value().validate("my-name")').cost, 10);
    assert.deepEqual(outcome('format.named("dns1123Label").value() == format.uuid()').estimate, [4, 10]);
  });
});

it('lengths of labels are reported in bytes from 1.35 on, and those of names in characters', () => {
  const later = new Environment({ libraries: [standardLibrary(), OPTIONAL, FORMATS_IN_BYTES] });
  const told = (format: string, at: Environment) =>
    (
      outcomeOf(`format.${format}().validate('${'x'.repeat(64)}').value()[0]`, { environment: at }) as {
        value?: unknown;
      }
    ).value;
  const told63 = (unit: string) => `must be no more than 63 ${unit}`;
  assert.deepEqual(
    ['labelValue', 'dns1123Label', 'qualifiedName'].map((each) => told(each, later)),
    [told63('bytes'), told63('characters'), `name part ${told63('bytes')}`],
  );
  assert.deepEqual(told('labelValue', environment), told63('characters'));
});
