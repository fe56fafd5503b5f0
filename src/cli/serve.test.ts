import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultServerOptions } from '../server/options.ts';
import type { CommandProcess } from './command-process.ts';
import { type RunningServer, serve } from './serve.ts';

/** A process that writes down what happens to it, and whose signals the test sends. */
function recordedProcess() {
  const happened: string[] = [];
  let signal = (): void => assert.fail('nobody listens to signals');
  let fault = (_error: unknown): void => assert.fail('nobody listens to faults');
  const command: CommandProcess = {
    out: (text) => happened.push(`out ${text}`),
    err: (text) => happened.push(`err ${text}`),
    onStopSignal: (stop) => {
      signal = stop;
    },
    onFault: (tell) => {
      fault = tell;
    },
    exit: (status) => happened.push(`exit ${status}`),
  };
  return { command, happened, signal: () => signal(), fault: (error: unknown) => fault(error) };
}

function recordedServer(happened: string[], drained = Promise.resolve()): RunningServer {
  return {
    url: 'https://127.0.0.1:6443',
    kubeconfig: '/data/kubeconfig',
    drain: () => {
      happened.push('drain');
      return drained;
    },
    close: async () => {
      happened.push('close');
    },
  };
}

const greeting = [
  'out Keelson listens on https://127.0.0.1:6443\n',
  'out To use it: export KUBECONFIG=/data/kubeconfig\n',
];
const farewell = 'out Draining; send the signal again to stop immediately.\n';

test('keelson serve runs until a signal, then drains and closes', async () => {
  const { command, happened, signal } = recordedProcess();
  const status = serve(async () => recordedServer(happened), defaultServerOptions, command);
  await new Promise(setImmediate);
  assert.deepEqual(happened, greeting);
  signal();
  assert.equal(await status, 0);
  assert.deepEqual(happened, [...greeting, farewell, 'drain', 'close']);
});

test('keelson serve --store=memory tells how to get a kubeconfig, unless other users can sign in', async () => {
  const started = async (options: Partial<typeof defaultServerOptions>) => {
    const { command, happened, signal } = recordedProcess();
    const server = { ...recordedServer(happened), kubeconfig: undefined };
    const status = serve(async () => server, { ...defaultServerOptions, ...options }, command);
    await new Promise(setImmediate);
    signal();
    await status;
    return happened.filter((line) => line.includes('kubeconfig'));
  };
  assert.deepEqual(await started({}), [
    'out No kubeconfig was written; to get one, name a folder for it with --data-dir.\n',
  ]);
  assert.deepEqual(await started({ tokenAuthFile: 'tokens.csv' }), []);
});

test('keelson serve ends at once on a second signal', async () => {
  const { command, happened, signal } = recordedProcess();
  const never = new Promise<void>(() => {});
  void serve(async () => recordedServer(happened, never), defaultServerOptions, command);
  await new Promise(setImmediate);
  signal();
  await new Promise(setImmediate);
  signal();
  assert.deepEqual(happened, [...greeting, farewell, 'drain', 'exit 1']);
});

test('keelson serve stops after its start if a signal came meanwhile', async () => {
  const { command, happened, signal } = recordedProcess();
  const status = serve(async () => recordedServer(happened), defaultServerOptions, command);
  signal();
  assert.equal(await status, 0);
  assert.deepEqual(happened.slice(2), [farewell, 'drain', 'close']);
});

test('keelson serve reports a failed start in one line with status 1, and the stack with --v', async () => {
  const start = async () => {
    throw new Error('listen EADDRINUSE:\n  address already in use');
  };
  const quiet = recordedProcess();
  assert.equal(await serve(start, defaultServerOptions, quiet.command), 1);
  assert.deepEqual(quiet.happened, ['err keelson: listen EADDRINUSE: address already in use\n']);
  const verbose = recordedProcess();
  assert.equal(await serve(start, { ...defaultServerOptions, verbosity: 1 }, verbose.command), 1);
  assert.match(verbose.happened[0]!, /serve\.test\.ts/);
});

test('keelson serve reports an uncaught error, drains and ends with status 1', async () => {
  const { command, happened, fault } = recordedProcess();
  const status = serve(async () => recordedServer(happened), defaultServerOptions, command);
  await new Promise(setImmediate);
  fault(new Error('one'));
  fault('two');
  assert.equal(await status, 1);
  const told = happened.slice(2).map((each) => each.split('\n')[0]);
  assert.deepEqual(told, [
    'err keelson: uncaught error: Error: one',
    'err keelson: uncaught error: two',
    'drain',
    'close',
    'exit 1',
  ]);
});

test('keelson serve ends with status 1 if it cannot drain after an uncaught error', async () => {
  const { command, happened, fault } = recordedProcess();
  const stuck = Promise.reject(new Error('stuck'));
  stuck.catch(() => {});
  const status = serve(async () => recordedServer(happened, stuck), defaultServerOptions, command);
  await new Promise(setImmediate);
  fault(new Error('one'));
  assert.equal(await status, 1);
  assert.equal(happened.at(-1), 'exit 1');
});
