import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetesFixture, type TestKubernetes } from './fixture.ts';

const quiet = { controllers: '' };

/** A fixture that ends with its test. */
function disposable(...given: Parameters<typeof kubernetesFixture>) {
  const fixture = kubernetesFixture(...given);
  return { run: fixture.run.bind(fixture), [Symbol.asyncDispose]: () => fixture.close() };
}

test('every test of a fixture starts with the objects of the setup', async () => {
  let setups = 0;
  await using fixture = disposable({
    ...quiet,
    setup: async ({ request }) => {
      setups++;
      await request('create', 'ConfigMap', { metadata: { name: 'shared' } });
    },
  });
  for (let round = 0; round < 2; round++) {
    await fixture.run(async ({ request }) => {
      await request('create', 'ConfigMap', { metadata: { name: 'own' } });
      await request('delete', 'ConfigMap', { name: 'shared' });
    });
  }
  assert.equal(setups, 1);
});

test('a fault that no request met fails the test of a fixture, even if it was removed', async () => {
  await using fixture = disposable(quiet);
  const unmet = fixture.run(({ faults }) => void faults.add({ verb: 'update', resource: 'pods', answer: 409 }));
  await assert.rejects(unmet, /no request met the fault \{"verb":"update","resource":"pods","answer":409\}/);
  await assert.rejects(
    fixture.run(({ faults }) => faults.add({ verb: 'list', cut: true }).remove()),
    /no request met/,
  );
  await fixture.run(async ({ faults, request }) => {
    faults.add({ verb: 'create', resource: 'configmaps', answer: 409 });
    await assert.rejects(request('create', 'ConfigMap', { metadata: { name: 'a' } }), { status: 409 });
    faults.clear();
    await request('create', 'ConfigMap', { metadata: { name: 'a' } });
  });
});

test('a failing test of a fixture reports its own error, whatever faults it has', async () => {
  await using fixture = disposable(quiet);
  const failing = fixture.run(({ faults }) => {
    faults.add({ verb: 'update', answer: 409 });
    throw new Error('its own');
  });
  await assert.rejects(failing, /its own/);
});

test('a test of a fixture cannot use the server after its end', async () => {
  await using fixture = disposable(quiet);
  let kept: TestKubernetes | undefined;
  await fixture.run((kubernetes) => {
    kept = kubernetes;
  });
  await assert.rejects(kept!.request('list', 'Pod'), /the test that had this server is over/);
  assert.throws(() => kept!.server, /is over/);
  assert.throws(() => kept!.faults.add({ verb: 'get', answer: 500 }), /is over/);
});

test('tests of a fixture do not run concurrently, and none runs after its end', async () => {
  const fixture = kubernetesFixture(quiet);
  const first = fixture.run(() => {});
  await assert.rejects(
    fixture.run(() => {}),
    /run one after another, not concurrently/,
  );
  await first;
  await fixture.close();
  await assert.rejects(
    fixture.run(() => {}),
    /is closed/,
  );
});

test('a setup that fails makes the tests of a fixture fail', async () => {
  await using fixture = disposable({
    ...quiet,
    setup: () => {
      throw new Error('not prepared');
    },
  });
  for (let round = 0; round < 2; round++)
    await assert.rejects(
      fixture.run(() => {}),
      /not prepared/,
    );
});
