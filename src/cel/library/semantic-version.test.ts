// Tests of semantic versions: syntax and order.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLenientVersion, readVersion, SemanticVersion } from './semantic-version.ts';

function version(text: string, read = readVersion): SemanticVersion {
  const found = read(text);
  assert.ok(found instanceof SemanticVersion, String(found));
  return found;
}

describe('semantic versions in CEL', () => {
  it('semantic versions in CEL are ordered by their numbers, then by their pre-release', () => {
    const ordered = [
      '1.0.0-0',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.9.0',
      '1.10.0',
      '2.0.0',
    ].map((text) => version(text));
    for (const [index, one] of ordered.entries()) {
      for (const [other, another] of ordered.entries()) {
        assert.equal(one.compareTo(another), Math.sign(index - other));
      }
    }
  });

  it('semantic versions in CEL are equal whatever their build metadata', () => {
    assert.ok(version('1.2.3+a').equals(version('1.2.3+b.c')));
    assert.ok(!version('1.2.3-a').equals(version('1.2.3-A')));
  });

  it('semantic versions in CEL hold 64-bit numbers', () => {
    assert.equal(version('9223372036854775807.0.0').major, 2n ** 63n - 1n);
    assert.equal(
      readVersion('18446744073709551616.0.0'),
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    );
  });

  const refused: Readonly<Record<string, string>> = {
    '': 'Version string empty',
    '1.2': 'No Major.Minor.Patch elements found',
    'v1.2.3': 'Invalid character(s) found in major number "v1"',
    '1.02.3': 'Minor number must not contain leading zeroes "02"',
    '1.2.': 'strconv.ParseUint: parsing "": invalid syntax',
    '1.2.3-': 'Prerelease is empty',
    '1.2.3-01': 'Numeric PreRelease version must not contain leading zeroes "01"',
    '1.2.3+': 'Build meta data is empty',
    '1.2.3+a_b': 'Invalid character(s) found in build meta data "a_b"',
  };
  for (const [text, reason] of Object.entries(refused)) {
    it(`semantic versions in CEL reject ${JSON.stringify(text)}`, () => assert.equal(readVersion(text), reason));
  }
});

describe('lenient parsing of semantic versions', () => {
  it('lenient parsing of semantic versions corrects missing parts, a leading v and leading zeros', () => {
    assert.ok(version('v01.02', readLenientVersion).equals(version('1.2.0')));
    assert.ok(version('1.2.003-rc.1', readLenientVersion).equals(version('1.2.3-rc.1')));
    assert.equal(readLenientVersion('1.2-rc'), 'short version cannot contain PreRelease/Build meta data');
    assert.equal(readLenientVersion('vv1'), 'Invalid character(s) found in major number "0v1"');
  });
});
