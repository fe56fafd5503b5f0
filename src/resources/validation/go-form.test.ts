import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateListTypes } from '../../schema/structural/list-types.ts';
import { SchemaPart } from '../../schema/structural/schema-part.ts';
import { inGoForm, SCOPE_SELECTOR, SECURITY_CONTEXT, SERVICE_PORT } from './go-form.ts';

test('a struct in an error message has the names and zero values of its internal Go type, in order', () => {
  assert.equal(
    JSON.stringify(inGoForm({ port: 80, protocol: 'TCP' }, SERVICE_PORT)),
    '{"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
  );
});

test('nested structs in an error message have the names of their own types', () => {
  const selector = { matchExpressions: [{ scopeName: 'Terminating', operator: 'Exists' }] };
  assert.equal(
    JSON.stringify(inGoForm(selector, SCOPE_SELECTOR)),
    '{"MatchExpressions":[{"ScopeName":"Terminating","Operator":"Exists","Values":null}]}',
  );
  const context = inGoForm({ capabilities: { add: ['CAP_SYS_ADMIN'] } }, SECURITY_CONTEXT) as Record<string, unknown>;
  assert.deepEqual(context['Capabilities'], { Add: ['CAP_SYS_ADMIN'], Drop: null });
});

test('an absent value in an error message is null', () => {
  assert.equal(inGoForm(undefined, SERVICE_PORT), null);
});

test('the keys of a duplicate in a keyed list are reported in the order of their names', () => {
  const part = new SchemaPart({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['z', 'a'],
    items: { type: 'object', properties: { a: { type: 'string' }, z: { type: 'string' } } },
  });
  const item = { z: '2', a: '1' };
  assert.equal(
    JSON.stringify(validateListTypes([item, item], part, 'l').map(({ value }) => value)),
    '[{"a":"1","z":"2"}]',
  );
});
