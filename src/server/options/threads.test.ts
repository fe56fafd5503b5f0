import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servingThreads, threadProblems } from './threads.ts';

const linux = { cores: 8, platform: 'linux', memoryMegabytes: 16_384 };
const usual = {
  ...{ servingThreads: 0, nodes: 0, store: 'embedded', etcdServers: [] },
  ...{ maxRequestsInFlight: 400, maxMutatingRequestsInFlight: 200 },
};

test('the default number of serving threads is that of the cores but one, at least one and at most four', () => {
  assert.equal(servingThreads(usual, linux), 4);
  assert.equal(servingThreads(usual, { ...linux, cores: 4 }), 3);
  assert.equal(servingThreads(usual, { ...linux, cores: 2 }), 1);
  assert.equal(servingThreads(usual, { ...linux, cores: 1 }), 1);
  assert.equal(servingThreads({ ...usual, store: 'memory', etcdServers: ['http://127.0.0.1:2379'] }, linux), 4);
});

test('one thread serves an in-memory store, simulated nodes, and machines without SO_REUSEPORT', () => {
  assert.equal(servingThreads({ ...usual, store: 'memory' }, linux), 1);
  assert.equal(servingThreads({ ...usual, nodes: 3 }, linux), 1);
  assert.equal(servingThreads(usual, { ...linux, platform: 'darwin' }), 1);
});

test('--serving-threads sets the number of threads', () => {
  assert.equal(servingThreads({ ...usual, servingThreads: 3, store: 'memory' }, linux), 3);
});

test('an invalid number of serving threads is rejected', () => {
  assert.deepEqual(threadProblems({ ...usual, servingThreads: 2 }, linux), []);
  assert.equal(threadProblems({ ...usual, servingThreads: -1 }, linux).length, 1);
  assert.equal(threadProblems({ ...usual, servingThreads: 1.5 }, linux).length, 1);
  assert.match(String(threadProblems({ ...usual, servingThreads: 2, nodes: 3 }, linux)), /--nodes/);
  assert.match(String(threadProblems({ ...usual, servingThreads: 2 }, { ...linux, platform: 'darwin' })), /Linux/);
});

test('a server in a container with little memory has one serving thread for each 512 MB', () => {
  assert.equal(servingThreads(usual, { ...linux, memoryMegabytes: 512 }), 1);
  assert.equal(servingThreads(usual, { ...linux, memoryMegabytes: 1_500 }), 2);
});

test('a server for few requests in flight has no more serving threads than one for 20 of them', () => {
  assert.equal(servingThreads({ ...usual, maxRequestsInFlight: 10, maxMutatingRequestsInFlight: 5 }, linux), 1);
  assert.equal(servingThreads({ ...usual, maxRequestsInFlight: 40, maxMutatingRequestsInFlight: 20 }, linux), 3);
  assert.equal(servingThreads({ ...usual, maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 }, linux), 4);
});
