import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterChecks } from './after-checks.ts';
import type { AdmissionPlugin, AdmissionRequest, PendingWrite, Undo, ValidatingPlugin } from './chain.ts';

// Nobody here looks at the request.
const request = {} as AdmissionRequest;

describe('a validating admission plugin that runs after checks', () => {
  const undo = async () => {};
  let undos: Undo[] = [];
  const write: PendingWrite = { undoUnlessStored: (each) => undos.push(each), whenStored: () => {} };
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
    async validate(_request, pending) {
      asked.push('Last');
      pending.undoUnlessStored(undo);
    },
  };
  const refuse = () => {
    throw new Error('no');
  };
  const now = () => {};
  const later = async () => {};

  async function run(...checks: AdmissionPlugin[]): Promise<unknown> {
    asked.length = 0;
    undos = [];
    await afterChecks(checks, last).validate(request, write);
    return undos;
  }

  it('admission checks run in order, and the plugin that keeps an undo runs last', async () => {
    for (const answers of [[], [now, now], [later, now, later], [now, later, now]]) {
      const checks = answers.map((answer, index) => check(`${index}`, answer));
      assert.deepEqual(await run(...checks), [undo]);
      assert.deepEqual(asked, [...answers.map((_, index) => `${index}`), 'Last']);
    }
  });

  it('no admission check runs after one that refuses', async () => {
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

  it('admission checks that answer at once cause no wait', () => {
    const nobody: ValidatingPlugin = { name: 'Nobody', validate: () => {} };
    assert.equal(afterChecks([check('a', now)], nobody).validate(request, write), undefined);
  });
});
