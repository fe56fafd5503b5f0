import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const program = join(import.meta.dirname, '../../bin/keelson.js');
const folder = mkdtempSync(join(tmpdir(), 'keelson-run-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const manifests = join(folder, 'manifests');
mkdirSync(manifests);
writeFileSync(
  join(manifests, 'a.yaml'),
  `apiVersion: x.example/v1
kind: Greeting
metadata: { name: hello, namespace: greetings }
---
apiVersion: v1
kind: Namespace
metadata: { name: greetings }
`,
);
writeFileSync(
  join(manifests, 'z.yaml'),
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: greetings.x.example }
spec:
  group: x.example
  scope: Namespaced
  names: { plural: greetings, kind: Greeting }
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`,
);

async function run(
  argv: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ status: number; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env: { ...process.env, ...variables } });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  const [status] = await once(child, 'close');
  return { status, out, err };
}

const script = (text: string) => [process.execPath, '-e', text];

test('keelson run gives a command its own server, and passes on its exit status', async () => {
  const text = 'console.log(process.env.KUBECONFIG); process.exit(7)';
  const { status, out } = await run(['run', '--', ...script(text)]);
  assert.equal(status, 7);
  assert.match(out, /admin\.kubeconfig\n$/);
  assert.ok(!existsSync(out.trim()));
  assert.equal((await run(['run', '--', ...script('process.kill(process.pid, "SIGKILL")')])).status, 137);
});

test('keelson run takes flags from a file and the environment, except for store and port', async () => {
  const file = join(folder, 'server.yaml');
  writeFileSync(file, 'anonymous-auth: false\nsecure-port: 1\nstore: embedded\n');
  const text = `
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const url = /server: "(.+)"/.exec(require('fs').readFileSync(process.env.KUBECONFIG, 'utf8'))[1];
    fetch(url + '/version').then(({ status }) => console.log(status));`;
  assert.equal((await run(['run', '--config', file, '--', ...script(text)])).out, '401\n');
  assert.equal((await run(['run', '--', ...script(text)], { KEELSON_ANONYMOUS_AUTH: 'false' })).out, '401\n');
  assert.equal((await run(['run', '--', ...script(text)])).out, '200\n');
});

test('keelson run reports what cannot be run or loaded in one line', async () => {
  const bad = join(folder, 'bad.yaml');
  writeFileSync(bad, 'apiVersion: v1\nkind: Nothing\nmetadata: { name: a }\n');
  const scalar = join(folder, 'scalar.yaml');
  writeFileSync(scalar, 'no object\n');
  const cases: [string[], RegExp][] = [
    [['run'], /run needs a command after --/],
    [['run', 'kubectl', 'get', '--all-namespaces'], /run needs a command after --/],
    [['run', '--load', '--', 'true'], /flag needs an argument: --load/],
    [['run', '--nope', '--', 'true'], /unknown flag: --nope/],
    [['run', '--load', join(folder, 'none'), '--', 'true'], /keelson: .+\/none: no such file or directory\n/],
    [['run', `--load=${bad}`, '--', 'true'], /bad\.yaml: no matches for kind "Nothing" in v1/],
    [['run', `--load=${scalar}`, '--', 'true'], /scalar\.yaml: a document that is not an object/],
  ];
  for (const [argv, message] of cases) {
    const { status, err } = await run(argv);
    assert.equal(status, /; see 'keelson run --help'\n$/.test(err) ? 2 : 1, argv.join(' '));
    const told = err.split('\n').filter((line) => !/^\d{4}-.* INFO /.test(line));
    assert.match(told.join('\n'), /^keelson: [^\n]+\n$/);
    assert.match(told.join('\n'), message);
  }
});

test('keelson run reports a command that cannot be run in one line, with the status of a shell', async () => {
  const cases: [string, number, string][] = [
    [join(folder, 'no-such-program'), 127, 'command not found'],
    [join(manifests, 'a.yaml'), 126, 'permission denied'],
  ];
  for (const [file, status, problem] of cases) {
    const ended = await run(['run', '--', file]);
    assert.equal(ended.status, status);
    assert.ok(ended.err.endsWith(`keelson: ${file}: ${problem}\n`), ended.err);
  }
});

test('keelson run --load ignores the files of kustomize beside CustomResourceDefinitions', async () => {
  const crd = join(folder, 'crd');
  mkdirSync(join(crd, 'bases'), { recursive: true });
  writeFileSync(join(crd, 'kustomization.yaml'), 'resources:\n- bases/greetings.yaml\n');
  writeFileSync(join(crd, 'kustomizeconfig.yaml'), 'nameReference:\n- kind: Service\n');
  cpSync(join(manifests, 'z.yaml'), join(crd, 'bases/greetings.yaml'));
  assert.deepEqual(await run(['run', '--load', crd, '--', ...script('')]), { status: 0, out: '', err: '' });
});

test('keelson testserver prints its address, has the loaded objects, and ends with its input', async () => {
  const child = spawn(process.execPath, [program, 'testserver', '--load', manifests], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { url, kubeconfig, token } = JSON.parse(line);
  assert.ok(existsSync(kubeconfig));
  const client = `
    const answer = await fetch('${url}/apis/x.example/v1/namespaces/greetings/greetings/hello', {
      headers: { authorization: 'Bearer ${token}' } });
    console.log(answer.status);`;
  const asked = spawn(process.execPath, ['--input-type=module', '-e', client], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [status] = await once(asked.stdout.setEncoding('utf8'), 'data');
  assert.equal(status, '200\n');
  child.stdin.end();
  assert.deepEqual(await ended, [0, null]);
  assert.ok(!existsSync(kubeconfig));
});

test('keelson run --kubernetes-version starts a server of that release', async () => {
  const text = `
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const url = /server: "(.+)"/.exec(require('fs').readFileSync(process.env.KUBECONFIG, 'utf8'))[1];
    fetch(url + '/version').then((answer) => answer.json()).then(({ gitVersion }) => console.log(gitVersion));`;
  const { out } = await run(['run', '--kubernetes-version=1.37', '--', ...script(text)]);
  assert.equal(out, 'v1.37.2+keelson\n');
  const told = await run(['run', '--version', '--kubernetes-version=1.37', '--', 'true']);
  assert.deepEqual(told, { status: 0, out: 'Kubernetes v1.37.2+keelson\n', err: '' });
  const unknown = await run(['run', '--kubernetes-version=1.99', '--', 'true']);
  assert.match(unknown.err, /^keelson: --kubernetes-version: "1\.99" is not a known release; known are [^\n]+\n$/);
});

test('keelson testserver --test-api rewinds the server over HTTP, at the same address', async () => {
  const child = spawn(process.execPath, [program, 'testserver', '--test-api', '--load', manifests], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { url, kubeconfig, token, testApi } = JSON.parse(line);
  assert.match(testApi, /^http:\/\/127\.0\.0\.1:\d+\/keelson\/test\/v1$/);
  const headers = { authorization: `Bearer ${token}` };
  const snapshot = await fetch(`${testApi}/snapshots`, { method: 'POST', headers });
  const { id } = (await snapshot.json()) as { id: string };
  const rewound = await fetch(`${testApi}/rewind`, { method: 'POST', headers, body: JSON.stringify({ id }) });
  assert.equal(rewound.status, 200);
  const text = await readFile(kubeconfig, 'utf8');
  assert.ok(text.includes(`server: "${url}"`));
  const asked = await run(
    ['run', '--', ...script(`fetch('${url}/version').then(({ status }) => console.log(status))`)],
    {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    },
  );
  assert.equal(asked.out, '200\n');
  child.stdin.end();
  assert.deepEqual(await ended, [0, null]);
});

test('keelson run --test-api tells its command the address and the token of the test API', async () => {
  const text = `
    const headers = { authorization: 'Bearer ' + process.env.KEELSON_TEST_TOKEN };
    fetch(process.env.KEELSON_TEST_API + '/clock', { headers }).then(({ status }) => console.log(status));`;
  const { out, err } = await run(['run', '--test-api', '--', ...script(text)]);
  assert.deepEqual([out, err], ['200\n', '']);
  const refused = await run(['serve', '--test-api']);
  assert.match(refused.err, /unknown flag: --test-api/);
});
