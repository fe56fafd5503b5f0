import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterChecks } from './after-checks.ts';
import type { AdmissionPlugin, AdmissionRequest, ValidatingPlugin } from './chain.ts';

// Nobody here looks at the request.
const request = {} as AdmissionRequest;

describe('afterChecks', () => {
  const undo = async () => {};
  const asked: string[] = [];
  const check = (name: string, answer: () => void | Promise<void>): AdmissionPlugin => ({
    name,
    admit() {
      asked.push(name);
      return answer();
    },
  });
  const last: ValidatingPlugin = {
    name: 'Last',
    validate() {
      asked.push('Last');
      return Promise.resolve(undo);
    },
  };
  const refuse = () => {
    throw new Error('no');
  };
  const now = () => {};
  const later = async () => {};

  async function run(...checks: AdmissionPlugin[]): Promise<unknown> {
    asked.length = 0;
    return afterChecks(checks, last).validate(request);
  }

  it('asks in order and hands on what the last one wants', async () => {
    for (const answers of [[], [now, now], [later, now, later], [now, later, now]]) {
      const checks = answers.map((answer, index) => check(`${index}`, answer));
      assert.equal(await run(...checks), undo);
      assert.deepEqual(asked, [...answers.map((_, index) => `${index}`), 'Last']);
    }
  });

  it('does not ask on when one refuses', async () => {
    await assert.rejects(run(check('a', now), check('b', refuse), check('c', now)), /no/);
    assert.deepEqual(asked, ['a', 'b']);
    await assert.rejects(
      run(
        check('a', later),
        check('b', async () => refuse()),
        check('c', now),
      ),
      /no/,
    );
    assert.deepEqual(asked, ['a', 'b']);
  });

  it('keeps nobody waiting where nobody minds', () => {
    const nobody: ValidatingPlugin = { name: 'Nobody', validate: () => undefined };
    assert.equal(afterChecks([check('a', now)], nobody).validate(request), undefined);
  });
});
