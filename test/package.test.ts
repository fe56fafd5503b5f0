// The package as it is published: built and packed from a copy of the checkout, installed in an empty folder, used by
// its names and as a program. The copy also shows which of source and build its program runs.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ServerProcess } from './clients/server-process.ts';
import { installPackage } from './install-package.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'keelson-package-'));
const checkout = join(folder, 'checkout');
const user = join(folder, 'user');
const installed = join(user, 'node_modules/keelson');

before(() => installPackage(checkout, user));

after(() => rmSync(folder, { recursive: true, force: true }));

function program(place: string, ...argv: string[]): string {
  return execFileSync(process.execPath, [join(place, 'bin/keelson.js'), ...argv], { encoding: 'utf8' });
}

test('the package holds the build output and documents only', () => {
  assert.deepEqual(readdirSync(installed).sort(), [
    ...['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md'],
    ...['bin', 'dist', 'docs', 'package.json'],
  ]);
  const built = readdirSync(join(installed, 'dist'));
  for (const name of [
    'main.js',
    'index.js',
    'cel.js',
    'testing.js',
    'vitest.js',
    'node-test.js',
    'jest.cjs',
    'jest-environment.js',
    'embedded-worker.js',
    'openapi-worker.js',
    ...['program.cjs', 'command-line.cjs'],
    'types',
  ]) {
    assert.ok(built.includes(name), name);
  }
  assert.ok(!built.includes('built-from.json'));
  assert.deepEqual(
    built.filter((name) => name.endsWith('.map')),
    [],
  );
});

/** What a process says of the script that it has loaded. */
function loadedScript(place: string, ...flags: string[]): string {
  const url = pathToFileURL(join(place, 'dist/program.js')).href;
  const says = `const { script } = await import('${url}'); console.log(script?.cachedDataRejected);`;
  const argv = [...flags, '--input-type=module', '--eval', says];
  return execFileSync(process.execPath, argv, { encoding: 'utf8', env: {} }).trim();
}

test('Node takes the compiled code in the package', () => {
  assert.equal(loadedScript(installed), 'false');
  // The package has no source maps.
  assert.equal(loadedScript(installed, '--enable-source-maps'), 'false');
});

test('the build is an ordinary module where its stack traces shall name the source', () => {
  assert.equal(loadedScript(checkout, '--enable-source-maps'), 'undefined');
});

test('a test server with its dependencies takes at most 25 MB', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const places = [installed, ...Object.keys(dependencies).map((name) => join(root, 'node_modules', name))];
  // What parse5 needs.
  places.push(join(root, 'node_modules/entities'));
  const argv = ['--summarize', '--total', '--block-size=1MB', ...places];
  const total = execFileSync('du', argv, { encoding: 'utf8' }).trimEnd().split('\n').at(-1)!;
  assert.ok(Number.parseInt(total, 10) <= 25, total);
});

test('the package holds the pages that the README links', () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const pages = [...readme.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, page]) => page!);
  assert.ok(pages.includes('docs/testing.md') && pages.includes('docs/compatibility.md'), String(pages));
  for (const page of pages) assert.ok(existsSync(join(installed, page)), page);
});

test('the installed package keeps objects over a restart', async () => {
  await using server = new ServerProcess(join(user, 'data'), { program: join(installed, 'bin/keelson.js') });
  await server.start();
  const kubeconfig = await server.kubeconfig();
  assert.equal(await server.stop(), 0);
  await server.start();
  assert.equal(await server.kubeconfig(), kubeconfig);
});

test('the exports of the package work, with modules that are loaded late', () => {
  const script = join(user, 'use.mjs');
  writeFileSync(
    script,
    `import { startServer } from 'keelson';
     import { examineExpression } from 'keelson/cel';
     import { startTestServer } from 'keelson/testing';
     await using server = await startTestServer();
     const configMap = { metadata: { name: 'a' }, data: { x: 'y' } };
     const created = await server.request('POST', '/api/v1/namespaces/default/configmaps', configMap);
     const review = { spec: { token: 'x' } };
     const special = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
     const documents = await server.request('GET', '/openapi/v3');
     console.log(typeof startServer, typeof examineExpression, created.status, special.status, documents.status);`,
  );
  assert.equal(execFileSync(process.execPath, [script], { encoding: 'utf8' }), 'function function 201 201 200\n');
});

test('a Node version that is too old is reported by the program and by every module', () => {
  const pretend = join(user, 'pretend.mjs');
  writeFileSync(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });
     for (const name of ['keelson', 'keelson/cel', 'keelson/testing', 'keelson/vitest', 'keelson/node-test']) {
       console.log(await import(name).then(() => 'loaded', ({ message }) => message));
     }
     await import(${JSON.stringify(join(installed, 'bin/keelson.js'))});`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [pretend], { encoding: 'utf8' });
  const advice = "see https://nodejs.org, or run 'npm install node' where Keelson is installed";
  const words = `needs Node.js 24.7 or newer, and this is 20.1.0: ${advice}`;
  assert.equal(stdout, `keelson ${words}\n`.repeat(5));
  assert.deepEqual([status, stderr], [1, `keelson: ${words}\n`]);
});

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) < 24;
});

test('an old Node version can parse the built program', { skip: oldNode ? false : 'no old Node is installed' }, () => {
  const script = `import('keelson/testing').catch(({ message }) => console.log(message))`;
  const { stdout } = spawnSync(oldNode ?? '', ['--input-type=module', '-e', script], { cwd: user, encoding: 'utf8' });
  assert.match(stdout, /^keelson needs Node\.js 24\.7 or newer, and this is /);
});

test('the package has no install scripts that npm users must review', () => {
  const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.ok(!Object.hasOwn(scripts, name), name);
});

test('every command works in the installed package', async () => {
  const work = join(user, 'work');
  mkdirSync(work);
  const keelson = (...argv: string[]): string => {
    const command = [join(installed, 'bin/keelson.js'), ...argv];
    return execFileSync(process.execPath, command, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  assert.match(keelson('version'), /^Keelson \d/);
  assert.match(keelson('--help'), /keelson testserver/);
  assert.match(keelson('console', '--help'), /--read-only/);
  assert.match(keelson('completion', 'bash'), /complete -o default/);
  assert.equal(keelson('__complete', 'serve', '--store='), '--store=embedded\n--store=memory\n');
  assert.match(keelson('cel', '1 + 1 == 2'), /type +bool/);
  const manifest = join(work, 'a.yaml');
  writeFileSync(manifest, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  assert.match(keelson('migrate', '--check', manifest), /^/);
  assert.match(keelson('envtest-assets', 'assets'), /KUBEBUILDER_ASSETS=/);
  const print = 'console.log(process.env.KUBECONFIG)';
  assert.match(keelson('run', '--load', manifest, '--', process.execPath, '-e', print), /admin\.kubeconfig\n$/);
  assert.match(keelson('testserver'), /^\{"url":"https:/);
  assert.deepEqual(readdirSync(work).sort(), ['a.yaml', 'assets'], 'servers in memory leave nothing behind');
  await using server = new ServerProcess(join(work, 'data'), { program: join(installed, 'bin/keelson.js') });
  await server.start();
  await server.stop();
  keelson('backup', 'copy', '--data-dir', 'data');
  keelson('verify', 'copy');
  keelson('verify', '--data-dir', 'data');
  keelson('restore', 'copy', '--data-dir', 'restored');
  keelson('verify', '--data-dir', 'restored');
});

test('a flag whose optional packages are not installed names them', () => {
  const traces = join(user, 'tracing.yaml');
  writeFileSync(traces, 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n');
  for (const [flag, names] of [
    ['--etcd-servers=http://127.0.0.1:1', '"@grpc/grpc-js@'],
    [`--tracing-config-file=${traces}`, '"@grpc/grpc-js@.*" "@opentelemetry/api@.*" "@opentelemetry/sdk-trace@'],
  ] as const) {
    const command = [join(installed, 'bin/keelson.js'), 'serve', '--store=memory', '--secure-port=0', flag];
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: user, encoding: 'utf8', timeout: 30_000 });
    assert.equal(status, 1, stderr);
    const [name] = flag.split('=');
    assert.match(
      stderr,
      new RegExp(`${name} needs packages that are not installed with Keelson: npm install ${names}`),
    );
  }
});

test('an installed server in memory writes no folder', async () => {
  const work = join(user, 'memory');
  mkdirSync(work);
  const flags = ['serve', '--store=memory', '--secure-port=0'];
  const child = spawn(process.execPath, [join(installed, 'bin/keelson.js'), ...flags], { cwd: work });
  const exit = once(child, 'exit');
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGTERM');
  await exit;
  assert.deepEqual(readdirSync(work), []);
});

test('the package has the type declarations that its users can reach, and no others', () => {
  const files = readdirSync(join(installed, 'dist/types'), { recursive: true, encoding: 'utf8' });
  const declarations = files.filter((file) => file.endsWith('.d.ts'));
  // The entries, options of the server and the types of objects: nothing of its inside.
  const [objects, others] = [/^resources\/builtin\/.*objects\.d\.ts$/, /^(?:http|verbs|store|resources|watchcache)\//];
  const rest = declarations.filter((file) => !objects.test(file));
  assert.ok(rest.length < 70, `${rest.length}`);
  assert.deepEqual(
    rest.filter((file) => others.test(file)),
    [],
  );
});

test('the type declarations of the package are complete', () => {
  writeFileSync(
    join(user, 'use.mts'),
    `import { type Server, startServer } from 'keelson';
     import { type Examination, examineExpression, schemaIn } from 'keelson/cel';
     import { kubernetesTest as jestTest } from 'keelson/jest';
     import { customResource, kubernetesTest } from 'keelson/node-test';
     import { kubernetesFixtures } from 'keelson/vitest';
     const schema = { type: 'object', properties: { spec: { type: 'object', required: ['size'], properties: {
       size: { type: 'integer' } } } } } as const;
     const Widget = customResource({ metadata: { name: 'ws.x' }, spec: { group: 'x', scope: 'Namespaced',
       names: { plural: 'ws', kind: 'W' },
       versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }] } });
     import { type Fault, type ObjectVersion, type RequestRecord, startTestServer } from 'keelson/testing';
     const server: Server = await startServer({ securePort: 0, authorizationMode: ['RBAC'] }, { listens: false });
     await using test = await startTestServer({ nodes: 1, seed: 1 });
     const { status }: { status: number } = await test.request('GET', '/version');
     const fault: Fault = test.faults.add({ verb: ['list', 'watch'], resource: 'pods', answer: 429, times: 1 });
     const records: RequestRecord[] = test.requests.list({ user: 'admin' });
     const reference = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
     const versions: ObjectVersion[] = test.history(reference);
     await test.clock?.advance('1h');
     test.cluster.nodes.stop('node-1');
     await test.rewind(test.snapshot());
     const { issues }: Examination = examineExpression({ expression: '1 + 1 == 2' });
     console.log(server.url, status, fault.count, records.length, versions.length, issues, schemaIn);
     const test2 = kubernetesTest({ setup: ({ define }) => define(Widget) });
     test2('typed', { timeout: 1 }, async ({ kubernetes: { request } }, context) => {
       const replicas: number | undefined = (await request('get', 'Deployment', { name: context.name })).spec?.replicas;
       const { spec }: { spec?: { size: number } } = await request('get', Widget, { name: 'a' });
       console.log(replicas, spec);
       // @ts-expect-error There is no such member.
       await request('create', 'ConfigMap', { daat: {} });
     });
     jestTest()('typed', async ({ kubernetes }) => void (await kubernetes.request('list', 'Pod')).items[0]?.spec);
     console.log(kubernetesFixtures({ listen: true }).keelson);
     // @ts-expect-error There is no such option.
     await startServer({ noSuchOption: 1 });
     // @ts-expect-error There is no such fault.
     test.faults.add({ answer: 200 });
     // @ts-expect-error What a server runs on inside is not part of the API.
     await startTestServer({}, { hooks: undefined });`,
  );
  symlinkSync(join(root, 'node_modules/@types'), join(user, 'node_modules/@types'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'ES2024', '--module', 'NodeNext', '--types', 'node'];
  execFileSync(process.execPath, [tsc, ...flags, 'use.mts'], { cwd: user, stdio: 'pipe' });
});

test('a checkout runs the build output until a source file changes', () => {
  const change = (path: string, to: string): void => {
    const text = readFileSync(join(checkout, path), 'utf8');
    assert.ok(text.includes('Start a Kubernetes API server.'));
    writeFileSync(join(checkout, path), text.replace('Start a Kubernetes API server.', to));
  };
  change('dist/command-line.cjs', 'Start what was built.');
  assert.match(program(checkout, 'serve', '--help'), /Start what was built\./);
  change('src/cli/main.ts', 'Start the edition!');
  assert.match(program(checkout, 'serve', '--help'), /Start the edition!/);
  rmSync(join(checkout, 'dist'), { recursive: true });
  assert.match(program(checkout, 'serve', '--help'), /Start the edition!/);
});
