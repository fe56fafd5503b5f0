import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSelector, versionText } from './version-selector.ts';

const versions = ['1.33.9', '1.34.0', '1.34.1', '1.34.4', '1.35.0', '2.0.0'];

function selected(text: string): string {
  const { selects } = parseSelector(text);
  const found = versions.filter((each) => {
    const [major = 0, minor = 0, patch = 0] = each.split('.').map(Number);
    return selects({ major, minor, patch });
  });
  return found.join(' ');
}

test('a version selector is a version, a minor version, or a range of them', () => {
  const cases: [string, string][] = [
    ['1.34.1', '1.34.1'],
    ['1.34.7', ''],
    ['1.34', '1.34.0 1.34.1 1.34.4'],
    ['1.34.x', '1.34.0 1.34.1 1.34.4'],
    ['1.34.*', '1.34.0 1.34.1 1.34.4'],
    ['1.34.x!', '1.34.0 1.34.1 1.34.4'],
    ['~1.34.1', '1.34.1 1.34.4'],
    ['~1.34', '1.34.0 1.34.1 1.34.4'],
    ['<1.34', '1.33.9'],
    ['<1.34.1', '1.33.9 1.34.0'],
    ['<=1.34', '1.33.9 1.34.0 1.34.1 1.34.4'],
    ['<=1.34.1', '1.33.9 1.34.0 1.34.1'],
    ['', versions.join(' ')],
    ['latest', versions.join(' ')],
    ['latest-on-disk', versions.join(' ')],
  ];
  for (const [text, expected] of cases) assert.equal(selected(text), expected, text);
});

test('only a complete version is an exact version selector', () => {
  assert.equal(versionText(parseSelector('1.34.1!').exact!), '1.34.1');
  for (const text of ['1.34', '1.34.x', '~1.34.1', '<=1.34.1', 'latest'])
    assert.equal(parseSelector(text).exact, undefined);
});

test('other texts are not version selectors', () => {
  for (const text of ['v1.34', '1', '1.x', '01.34', '1.34.01', '>1.34', '1.34.1-rc.0', 'newest', '!']) {
    assert.throws(() => parseSelector(text), /is not a version: X\.Y\.Z/, text);
  }
});
