import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareElements, elementText, keyElement, valueElement } from './path-element.ts';

describe('path elements of managed fields', () => {
  test('the keys of an item are written in the order of their names', () => {
    assert.equal(
      keyElement([
        ['protocol', 'TCP'],
        ['port', 80],
      ]),
      'k:{"port":80,"protocol":"TCP"}',
    );
  });

  test('integers of 64 bits in path elements keep all digits', () => {
    assert.equal(valueElement(9007199254740993n), 'v:9007199254740993');
    assert.equal(elementText('k:{"n":9007199254740993}'), '[n=9007199254740993]');
  });

  test('strings are escaped as Go does it, differently in path elements and in messages', () => {
    assert.equal(keyElement([['name', 'a<&>']]), String.raw`k:{"name":"a\u003c\u0026\u003e"}`);
    assert.equal(valueElement('a&\u2028'), String.raw`v:"a\u0026\u2028"`);
    assert.equal(elementText(valueElement('a&\u2028')), String.raw`[="a&\u2028"]`);
    assert.equal(elementText(keyElement([['name', 'a<&>"']])), String.raw`[name="a<&>\""]`);
    assert.equal(elementText(keyElement([['name', { a: ['b', 1, null] }]])), '[name=a=["b",1,null]]');
  });

  test('path elements are sorted by type: fields, keyed items, values, indexes; numbers by size', () => {
    const sorted = [
      '.',
      'f:a',
      'f:b',
      'k:{"name":"a"}',
      'k:{"name":"a b"}',
      'k:{"name":"a!"}',
      'k:{"name":"a\\"b"}',
      'k:{"name":"aa"}',
      'k:{"name":"b","of":"a"}',
      'k:{"name":"b","of":"aa"}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":80,"protocol":"UDP"}',
      'k:{"port":443,"protocol":"TCP"}',
      'v:2',
      'v:10',
      'v:"1"',
      'i:2',
      'i:10',
    ];
    assert.deepEqual([...sorted].reverse().sort(compareElements), sorted);
  });

  for (const [element, text] of [
    ['f:spec', '.spec'],
    ['f:example.com/x', '.example.com/x'],
    ['k:{"name":"app"}', '[name="app"]'],
    ['k:{"port":53,"protocol":"UDP"}', '[port=53,protocol="UDP"]'],
    ['v:"x"', '[="x"]'],
    ['i:3', '[3]'],
  ] as const) {
    test(`the path element ${element} is written ${text} in messages`, () => assert.equal(elementText(element), text));
  }
});
