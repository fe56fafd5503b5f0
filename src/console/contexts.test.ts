import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContexts } from './contexts.ts';

const files: Record<string, string> = {
  '/home/a': `
current-context: one
clusters: [{name: c, cluster: {server: 'https://one:6443', certificate-authority: ca.pem}}]
users: [{name: u, user: {token: t1}}]
contexts: [{name: one, context: {cluster: c, user: u}}]`,
  '/home/b': `
current-context: two
clusters: [{name: c, cluster: {server: 'https://other'}}, {name: d, cluster: {server: 'http://two'}}]
users: [{name: plugin, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: node, args: [-e, 'console.log(JSON.stringify({kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: {token: "made"}}))']}}}]
contexts: [{name: two, context: {cluster: d, user: plugin}}, {name: broken, context: {cluster: none}}]`,
  '/home/ca.pem': 'PEM',
};

function readText(path: string): string {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
  return text;
}

test('the first of several kubeconfig files that defines a name wins, and missing files are ignored', async () => {
  const contexts = await readContexts(['/home/a', '/home/none', '/home/b'], readText);
  assert.deepEqual(contexts.names, ['one', 'two', 'broken']);
  assert.equal(contexts.current, 'one');
  const { target } = contexts.access('one');
  assert.equal(target.server, 'https://one:6443');
  assert.equal(target.ca, 'PEM');
  assert.equal(target.authorization(), 'Bearer t1');
});

test('a credential plugin of a kubeconfig is run for its token', async () => {
  const { target, exec } = (await readContexts(['/home/b'], readText)).access('two');
  assert.equal(target.server, 'http://two');
  assert.deepEqual(await exec!(), { token: 'made', clientCertificate: undefined });
});

test('an invalid kubeconfig file or context is reported', async () => {
  await assert.rejects(readContexts(['/home/none'], readText), /stat \/home\/none: no such file or directory/);
  const contexts = await readContexts(['/home/b'], readText);
  assert.throws(() => contexts.access('nowhere'), /context "nowhere" was not found/);
  assert.throws(() => contexts.access('broken'), /cluster "none" was not found/);
});
