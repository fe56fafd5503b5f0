// Tests of the authorizer's functions in expressions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../test/cel/expression-outcome.ts';
import { Environment } from '../cel/environment.ts';
import { standardLibrary } from '../cel/library/standard/standard.ts';
import {
  AUTHORIZER,
  AUTHORIZER_SELECTORS,
  AUTHORIZER_TYPE,
  type AuthorizationAnswer,
  type AuthorizationQuestion,
  Authorizer,
  RESOURCE_CHECK_TYPE,
  ResourceCheck,
} from './authorizer.ts';

const environment = new Environment({
  libraries: [standardLibrary(), AUTHORIZER, AUTHORIZER_SELECTORS],
  variables: [
    { name: 'authorizer', type: AUTHORIZER_TYPE },
    { name: 'authorizer.requestResource', type: RESOURCE_CHECK_TYPE },
  ],
});
const subject = { name: 'jane', uid: '7', groups: ['dev'], extra: {} };

function ask(expression: string, answer: AuthorizationAnswer = { allowed: true, reason: 'because' }) {
  const questions: AuthorizationQuestion[] = [];
  const authorizer = new Authorizer(subject, {
    authorize(question) {
      questions.push(question);
      return answer;
    },
  });
  const request = new ResourceCheck({ authorizer, group: 'apps', resource: 'deployments', namespace: 'a', name: 'b' });
  const variables = { authorizer, 'authorizer.requestResource': request };
  return { ...outcomeOf(expression, { environment, variables }), questions };
}

describe('the authorizer variable in CEL', () => {
  it('the authorizer variable in CEL checks a path', () => {
    const { value, cost, questions } = ask('authorizer.path("/healthz").check("get").allowed()');
    assert.deepEqual(questions, [{ kind: 'path', subject, verb: 'get', path: '/healthz' }]);
    assert.deepEqual([value, cost], [true, 350_003]);
  });

  it('the authorizer variable in CEL checks a resource with all details', () => {
    const { questions } = ask(
      'authorizer.group("").resource("pods").subresource("log").namespace("ns").name("n")' +
        '.fieldSelector("spec.nodeName=x").labelSelector("a in (b)").check("list").allowed()',
    );
    const [question] = questions;
    assert.ok(question?.kind === 'resource');
    const { fieldSelector, labelSelector, ...rest } = question;
    assert.deepEqual(rest, {
      kind: 'resource',
      subject,
      verb: 'list',
      group: '',
      resource: 'pods',
      subresource: 'log',
      namespace: 'ns',
      name: 'n',
    });
    assert.equal(fieldSelector?.toString(), 'spec.nodeName=x');
    assert.equal(labelSelector?.toString(), 'a in (b)');
  });

  it('the authorizer variable in CEL ignores selectors that cannot be parsed', () => {
    const { questions } = ask(
      'authorizer.group("").resource("pods").fieldSelector("x").labelSelector("a in").check("list").allowed()',
    );
    const [question] = questions;
    assert.ok(question?.kind === 'resource');
    assert.deepEqual([question.fieldSelector, question.labelSelector], [undefined, undefined]);
  });

  it('the authorizer variable in CEL checks the resource of the request', () => {
    const [question] = ask('authorizer.requestResource.check("update").allowed()').questions;
    assert.ok(question?.kind === 'resource');
    assert.deepEqual([question.group, question.resource, question.name], ['apps', 'deployments', 'b']);
  });

  it('the authorizer variable in CEL checks for a service account', () => {
    const [question] = ask('authorizer.serviceAccount("ns", "sa").path("/").check("get").allowed()').questions;
    assert.deepEqual(question?.subject, {
      name: 'system:serviceaccount:ns:sa',
      uid: '',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: {},
    });
  });

  it('the authorizer variable in CEL returns the decision', () => {
    const check = 'authorizer.path("/").check("get")';
    assert.equal(ask(`${check}.reason()`).value, 'because');
    assert.equal(ask(`${check}.error()`).value, '');
    const answer = { allowed: false, reason: '', error: 'out of order' };
    assert.equal(ask(`${check}.allowed()`, answer).value, false);
    assert.equal(ask(`${check}.errored()`, answer).value, true);
    assert.equal(ask(`${check}.error()`, answer).value, 'out of order');
  });

  it('the authorizer variable in CEL rejects an empty path, resource or service account', () => {
    assert.equal(ask('authorizer.path(" ").check("get").allowed()').error, 'path must not be empty');
    assert.equal(
      ask('authorizer.group("").resource("\\t").check("get").allowed()').error,
      'resource must not be empty',
    );
    const account = (namespace: string, name: string) =>
      ask(`authorizer.serviceAccount("${namespace}", "${name}").path("/").check("get").allowed()`).error;
    assert.equal(account('ns', 'A'), 'Invalid service account name');
    assert.equal(account('a.b', 'a'), 'Invalid service account namespace');
    assert.equal(ask('authorizer == authorizer').error, 'no such overload');
  });

  it('the authorizer variable in CEL costs for selectors by their length', () => {
    const selector = 'spec.nodeName=example-node-name.fully.qualified.domain.name.example.com';
    const { cost, estimate } = ask(`authorizer.group("").resource("pods").fieldSelector("${selector}")`);
    assert.deepEqual([cost, estimate], [1821, [1821, 1821]]);
  });
});
