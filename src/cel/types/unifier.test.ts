import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  BOOL,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  nullable,
  opaqueType,
  optionalOf,
  parameter,
  STRING,
  structType,
  type Type,
  typeOf,
} from './type.ts';
import { operandsText, typeText } from './type-text.ts';
import { TypesTooLarge, Unifier } from './unifier.ts';

const A = parameter('A');
const B = parameter('B');

describe('unification of CEL types', () => {
  const agrees: readonly (readonly [from: Type<unknown>, to: Type<unknown>, agree: boolean])[] = [
    [INT, INT, true],
    [INT, STRING, false],
    [INT, DYN, true],
    [DYN, listOf(INT), true],
    [ERROR, INT, true],
    [listOf(INT), listOf(INT), true],
    [listOf(INT), listOf(STRING), false],
    [listOf(DYN), listOf(STRING), true],
    [listOf(INT), mapOf(INT, INT), false],
    [mapOf(STRING, INT), mapOf(STRING, DYN), true],
    [NULL, INT, false],
    [NULL, nullable(INT), true],
    [NULL, structType('a.B'), true],
    [NULL, DURATION, true],
    [NULL, opaqueType('net.IP'), true],
    [NULL, listOf(INT), false],
    [INT, nullable(INT), true],
    [nullable(INT), INT, true],
    [nullable(INT), nullable(STRING), false],
    [structType('a.B'), structType('a.B'), true],
    [structType('a.B'), structType('a.C'), false],
    [optionalOf(INT), optionalOf(INT), true],
    [optionalOf(INT), INT, false],
    [typeOf(INT), typeOf(STRING), true],
  ];
  for (const [from, to, agree] of agrees) {
    it(`unification of CEL types finds that ${typeText(from)} ${agree ? 'is' : "isn't"} assignable to ${typeText(to)}`, () => {
      assert.equal(new Unifier(100).isAssignable(from, to), agree);
    });
  }

  it('unification of CEL types binds a type parameter to the type that it meets', () => {
    const unifier = new Unifier(100);
    assert.ok(unifier.areAssignable([listOf(INT), INT], [listOf(A), A]));
    assert.equal(typeText(unifier.resolve(mapOf(A, B))), 'map(int, B)');
    assert.equal(typeText(unifier.resolveFully(mapOf(A, B))), 'map(int, dyn)');
  });

  it('unification of CEL types binds a type parameter to the most general of the types that it meets', () => {
    const unifier = new Unifier(100);
    assert.ok(unifier.areAssignable([listOf(INT), listOf(DYN)], [A, A]));
    assert.equal(typeText(unifier.resolve(A)), 'list(dyn)');
  });

  it('unification of CEL types drops bindings of a list of types that does not match', () => {
    const unifier = new Unifier(100);
    assert.ok(!unifier.areAssignable([INT, STRING], [A, BOOL]));
    assert.equal(unifier.resolve(A), A);
    assert.ok(unifier.isAssignable(INT, A));
    assert.ok(!unifier.areAssignable([DYN, STRING], [A, BOOL]));
    assert.equal(unifier.resolve(A), INT);
  });

  it('unification of CEL types binds no type parameter to a type that contains it', () => {
    const unifier = new Unifier(100);
    assert.ok(!unifier.isAssignable(listOf(A), A));
    assert.ok(unifier.isAssignable(B, listOf(A)));
    assert.ok(!unifier.isAssignable(A, listOf(B)));
  });

  it('unification of CEL types fails if types are larger than the limit of steps', () => {
    const grown = (depth: number): Type<unknown> => {
      if (depth === 0) return INT;
      const inner = grown(depth - 1);
      return mapOf(inner, inner);
    };
    const type = grown(60);
    assert.throws(() => new Unifier(1000).resolve(type), TypesTooLarge);
    assert.throws(() => new Unifier(1000).walk(type), TypesTooLarge);
    assert.throws(() => new Unifier(1000).isAssignable(type, grown(60)), TypesTooLarge);
  });
});

describe('the text of CEL types', () => {
  const texts: readonly (readonly [type: Type<unknown>, text: string])[] = [
    [NULL, 'null'],
    [DURATION, 'duration'],
    [ERROR, '!error!'],
    [nullable(INT), 'wrapper(int)'],
    [mapOf(STRING, listOf(optionalOf(A))), 'map(string, list(optional_type(A)))'],
    [typeOf(DURATION), 'type(duration)'],
    [typeOf(), 'type'],
    [structType('a.B'), 'a.B'],
  ];
  for (const [type, text] of texts) {
    it(`the text of CEL types is ${text}`, () => assert.equal(typeText(type), text));
  }

  it('the text of CEL types of operands begins with the receiver', () => {
    assert.equal(operandsText([STRING, INT], true), 'string.(int)');
    assert.equal(operandsText([STRING, INT], false), '(string, int)');
    assert.equal(operandsText([], false), '()');
  });
});
