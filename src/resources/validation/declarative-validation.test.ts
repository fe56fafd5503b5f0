import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FieldErrors, fieldError } from '../../api/errors.ts';
import { embedded, int32, struct } from '../../schema/build.ts';
import type { StructNode } from '../../schema/node.ts';
import { coveredByDeclaration, withDeclaredRules } from './declarative-validation.ts';

const Spec = struct('test.Spec', () => ({
  a: int32(1).declarative('minimum=0'),
  b: int32(2).declarative('minimum=0'),
}));
const Thing = struct('test.Thing', () => ({ spec: embedded(1, Spec) }));
const BROKEN = {
  get jsonFields(): never {
    throw new Error('no fields');
  },
} as unknown as StructNode;

const inCode = (field: string) => coveredByDeclaration(fieldError.invalid(field, -1, 'in code'), 'minimum');

function judged(found: FieldErrors, spec: object, gates: string[], type: StructNode = Thing) {
  const told: string[] = [];
  const declarative = {
    mismatched: (detail: string) => told.push(detail),
    panicked: (error: unknown) => told.push(`panic: ${(error as Error).message}`),
  };
  const user = { name: '', uid: '', groups: [], extra: {} };
  const context = { nowMs: 0, user, declarative, gateEnabled: (gate: string) => gates.includes(gate) };
  const errors = withDeclaredRules(found, {
    type,
    next: { spec } as never,
    previous: undefined,
    isKnown: true,
    context,
  });
  return { errors: errors.map(({ field, detail }) => `${field} ${detail}`), told };
}

const BOTH = ['DeclarativeValidation'];
const TAKEOVER = [...BOTH, 'DeclarativeValidationTakeover'];
const UNIT = 'Unexpected difference between hand written validation and declarative validation error results, ';

test('equal errors of declarative and handwritten validation are no mismatch; takeover reports declared ones', () => {
  const other = fieldError.required('spec.c');
  const found = [inCode('spec.b'), other, inCode('spec.a'), inCode('spec.a')];
  const bad = { a: -1, b: -1 };
  assert.deepEqual(judged(found, bad, BOTH), {
    errors: ['spec.b in code', 'spec.c ', 'spec.a in code', 'spec.a in code'],
    told: [],
  });
  const why = 'must be greater than or equal to 0';
  assert.deepEqual(judged(found, bad, TAKEOVER), { errors: ['spec.c ', `spec.a ${why}`, `spec.b ${why}`], told: [] });
  assert.deepEqual(judged(found, bad, ['DeclarativeValidationTakeover']).errors.length, 4, 'off means off');
});

test('an error of only declarative or only handwritten validation is logged as a mismatch', () => {
  const [unmatched = ''] = judged([inCode('spec.a')], { a: 0, b: 0 }, BOTH).told;
  assert.ok(
    unmatched.startsWith(
      `${UNIT}unmatched error(s) found {Type="FieldValueInvalid", Field="spec.a", Origin="minimum"}.`,
    ),
    unmatched,
  );
  assert.match(unmatched, /hand written validation is authoritative\.$/);
  const [extra = ''] = judged([], { a: -1, b: 0 }, TAKEOVER).told;
  assert.ok(extra.startsWith(`${UNIT}extra error(s) found {`), extra);
  assert.match(extra, /Consider disabling the DeclarativeValidationTakeover feature gate/);
});

test('a panic of declarative validation is counted, and fails the request only with takeover', () => {
  assert.deepEqual(judged([], {}, BOTH, BROKEN), { errors: [], told: ['panic: no fields'] });
  const { errors } = judged([], {}, TAKEOVER, BROKEN);
  assert.deepEqual(errors, [' panic during declarative validation: Error: no fields']);
});
