import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ApiError, errors, type FieldErrorType, fieldError, fieldErrorBody } from './errors.ts';

const PAGE = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const DEPLOYMENT = { group: 'apps', resource: 'deployments', name: 'web' };

/** One call of each function, whose outcome is held against the page. */
const SAMPLES: Record<keyof typeof errors, ApiError> = {
  badRequest: errors.badRequest('bad'),
  unauthorized: errors.unauthorized(),
  forbidden: errors.forbidden(DEPLOYMENT, 'no'),
  namespaceTerminating: errors.namespaceTerminating(DEPLOYMENT, 'shop'),
  forbiddenPath: errors.forbiddenPath('no'),
  notFound: errors.notFound(DEPLOYMENT),
  notWatchable: errors.notWatchable(DEPLOYMENT),
  notSupportedOn: errors.notSupportedOn('create', DEPLOYMENT),
  noSuchPath: errors.noSuchPath(),
  methodNotAllowed: errors.methodNotAllowed(),
  notAcceptable: errors.notAcceptable(['application/json', 'application/yaml']),
  noRepresentation: errors.noRepresentation(['application/json', 'application/yaml']),
  unsupportedPatchType: errors.unsupportedPatchType(),
  notImplemented: errors.notImplemented('this'),
  unsupportedMediaType: errors.unsupportedMediaType(['application/json']),
  alreadyExists: errors.alreadyExists(DEPLOYMENT),
  generateNameConflict: errors.generateNameConflict(DEPLOYMENT),
  conflict: errors.conflict(DEPLOYMENT, 'changed'),
  invalid: errors.invalid({ group: 'apps', kind: 'Deployment', name: 'web' }, [fieldError.required('spec')]),
  unprocessable: errors.unprocessable('no'),
  expired: errors.expired('gone'),
  tooLargeResourceVersion: errors.tooLargeResourceVersion(9, 8, 1),
  timeout: errors.timeout('slow'),
  abandoned: errors.abandoned(),
  bodyTooLarge: errors.bodyTooLarge('big'),
  tooManyRequests: errors.tooManyRequests('wait', 1),
  serviceUnavailable: errors.serviceUnavailable('down'),
  unexplained: errors.unexplained('odd'),
  deadlineExceeded: errors.deadlineExceeded(),
  internal: errors.internal('broken'),
};

function rows(heading: string): string[][] {
  const lines = PAGE.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  assert.notEqual(start, -1, heading);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function unquoted(cell: string): string {
  return cell.replaceAll('`', '');
}

/** A message's form as an expression: what stands in braces varies. */
function formOf(message: string): RegExp {
  const literal = message.replace(/[.*+?^$()|[\]]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '.+')}$`);
}

test('the page on errors lists exactly the error functions', () => {
  const listed = rows('function').map(([name = '']) => unquoted(name));
  assert.deepEqual(listed.toSorted(), Object.keys(errors).toSorted());
  assert.deepEqual(Object.keys(SAMPLES).toSorted(), Object.keys(errors).toSorted());
});

for (const [name = '', code, reason, message = '', details = '', when] of rows('function')) {
  test(`the page on errors describes ${name}`, () => {
    const { status } = SAMPLES[unquoted(name) as keyof typeof errors];
    assert.equal(String(status.code), code);
    assert.equal(status.reason ?? '–', reason);
    assert.match(status.message ?? '', formOf(unquoted(message)));
    if (details === '–') assert.equal(status.details, undefined);
    else assert.deepEqual(Object.keys(status.details ?? {}), details === '{}' ? [] : details.split(', '));
    assert.notEqual(when, '');
  });
}

test('the page on errors shows the text of each type of field error', () => {
  const listed = rows('type');
  for (const [type = '', words, quotes] of listed) {
    const body = fieldErrorBody({ type: type as FieldErrorType, field: 'spec', value: 'x', detail: 'why' });
    assert.equal(body, quotes === 'yes' ? `${words}: "x": why` : `${words}: why`);
  }
  assert.equal(listed.length, 10);
});

test('field errors have the text of those of Kubernetes', () => {
  const cases: [Parameters<typeof fieldErrorBody>[0], string][] = [
    [fieldError.required('a'), 'Required value'],
    [fieldError.required('a', 'say it'), 'Required value: say it'],
    [fieldError.invalid('a', -1, 'must be positive'), 'Invalid value: -1: must be positive'],
    [fieldError.invalid('a', 9007199254740993n, 'big'), 'Invalid value: 9007199254740993: big'],
    [fieldError.invalid('a', 'say "x"', 'no'), 'Invalid value: "say \\"x\\"": no'],
    [fieldError.invalid('a', null, 'no'), 'Invalid value: null: no'],
    [fieldError.invalid('a', { b: [1] }, 'no'), 'Invalid value: {"b":[1]}: no'],
    [fieldError.forbidden('a', 'no'), 'Forbidden: no'],
    [fieldError.duplicate('a', 'x'), 'Duplicate value: "x"'],
    [fieldError.notFound('a', 'x'), 'Not found: "x"'],
    [fieldError.tooLong('a', 63), 'Too long: may not be more than 63 bytes'],
    [fieldError.tooMany('a', 9, 8), 'Too many: 9: must have at most 8 items'],
    [fieldError.tooMany('a', 2, 1), 'Too many: 2: must have at most 1 item'],
    [fieldError.tooMany('a', 1, -1), 'Too many: 1: has too many items'],
    [fieldError.notSupported('a', 'c', ['a', 'b']), 'Unsupported value: "c": supported values: "a", "b"'],
    [fieldError.notSupported('a', 'c', []), 'Unsupported value: "c"'],
  ];
  for (const [error, body] of cases) assert.equal(fieldErrorBody(error), body);
});

test('several errors are in brackets, and repeated ones once in the message and each among the causes', () => {
  const fault = fieldError.invalid('metadata.uid', 'x', 'field is immutable');
  const { status } = errors.invalid({ group: '', kind: 'ConfigMap', name: 'a' }, [
    fault,
    fault,
    fieldError.required('b'),
  ]);
  assert.equal(
    status.message,
    'ConfigMap "a" is invalid: [metadata.uid: Invalid value: "x": field is immutable, b: Required value]',
  );
  assert.equal(status.details?.causes?.length, 3);
  const once = errors.invalid({ group: '', kind: 'ConfigMap', name: 'a' }, [fault, fault]);
  assert.equal(once.message, 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable');
});

test('a Status has no empty members, and does not show the cause of an internal error', () => {
  const error = errors.internal('broken', new Error('secret'));
  assert.equal((error.cause as Error).message, 'secret');
  assert.doesNotMatch(JSON.stringify(error.status), /secret/);
  assert.deepEqual(errors.unexplained('odd').status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 500,
    message: 'odd',
  });
  assert.deepEqual(errors.forbidden({ group: '', resource: 'pods', name: '' }, 'no').status.details, { kind: 'pods' });
  assert.deepEqual(errors.expired('gone', { continue: 'abc' }).status.metadata, { continue: 'abc' });
  assert.ok(error instanceof ApiError);
});
