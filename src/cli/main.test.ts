import assert from 'node:assert/strict';
import { test } from 'node:test';
import { main } from './main.ts';

async function run(...argv: string[]) {
  const result = { status: 0, out: '', err: '' };
  result.status = await main(argv, {
    out: (text) => {
      result.out += text;
    },
    err: (text) => {
      result.err += text;
    },
    onStopSignal: () => assert.fail('nothing is started'),
    onFault: () => {},
    exit: () => assert.fail('nothing is started'),
  });
  return result;
}

test('keelson version prints one line', async () => {
  const { status, out, err } = await run('version');
  assert.equal(status, 0);
  assert.match(out, /^Keelson \d+\.\d+\.\d+ \(Kubernetes v1\.34\.\d+\)\n$/);
  assert.equal(err, '');
});

test('help is printed to standard output on request, and to standard error without a command', async () => {
  const asked = await run('help');
  assert.equal(asked.status, 0);
  assert.match(asked.out, /keelson serve \[flags\]/);
  const missing = await run();
  assert.deepEqual(missing, { status: 2, out: '', err: asked.out });
  const flags = await run('serve', '--help');
  assert.equal(flags.status, 0);
  assert.match(flags.out, /--secure-port int/);
});

test('keelson help COMMAND prints the same as COMMAND --help', async () => {
  for (const name of ['serve', 'run', 'backup', 'copy', 'migrate', 'version']) {
    assert.deepEqual(await run('help', name), await run(name, '--help'));
  }
  assert.deepEqual(await run('help', 'nothing'), await run('nothing'));
});

test('keelson version takes no arguments', async () => {
  assert.deepEqual(await run('version', '--output=json'), {
    status: 2,
    out: '',
    err: 'keelson: version does not take any arguments, got "--output=json"\n',
  });
});

test('keelson version prints JSON', async () => {
  const { status, out } = await run('version', '--json');
  assert.equal(status, 0);
  const { version, kubernetesVersion } = JSON.parse(out);
  assert.equal(`Keelson ${version} (Kubernetes ${kubernetesVersion})\n`, (await run('version')).out);
});

test('a missing file of flags is reported with its name', async () => {
  const { err } = await run('serve', '--config=/no/flags.yaml');
  assert.equal(err, 'keelson: open /no/flags.yaml: no such file or directory; see --config\n');
});

test('a missing store or backup is reported with its name', async () => {
  assert.equal((await run('verify', '/no/backup')).err, 'keelson: there is no file /no/backup\n');
  assert.equal((await run('verify', '--data-dir=/no/store')).err, 'keelson: there is no store in /no/store\n');
  const missing = await run('copy', '--from', '/no/store', '--to', '/no/other');
  assert.deepEqual([missing.status, missing.err], [1, 'keelson: there is no store in /no/store\n']);
  assert.equal(
    (await run('copy', '--from', '/no/store', '--to', '127.0.0.1:2379')).err,
    "keelson: --to 127.0.0.1:2379: URLs of etcd begin with http:// or https://; see 'keelson copy --help'\n",
  );
});

test('an invalid command line is one line on standard error and status 2', async () => {
  assert.deepEqual(await run('kubectl'), {
    status: 2,
    out: '',
    err: `keelson: unknown command "kubectl"; 'keelson help' lists the commands\n`,
  });
  assert.deepEqual(await run('serve', '--nothing'), {
    status: 2,
    out: '',
    err: `keelson: unknown flag: --nothing; 'keelson serve --help' lists the flags\n`,
  });
  const wrong = [
    ...[['verify', 'a', 'b'], ['backup'], ['restore', 'a', '--bump-revision=x'], ['copy'], ['copy', '--nothing']],
    ...[
      ['verify', '--etcd-servers=x', '--nothing'],
      ['backup', 'a', '--etcd-servers=http://x', '--nothing'],
    ],
    ...[['migrate'], ['migrate', '--nothing', 'a'], ['migrate', '--server', '--nothing'], ['console', '--port=x']],
    ...[['cel'], ['completion', 'sh'], ['envtest-assets'], ['setup-envtest'], ['run'], ['testserver', '--nothing']],
    ...[['kubeconfig'], ['token'], ['version', '--nothing'], ['migrate', '--to=2.0', 'a']],
  ];
  for (const argv of wrong) {
    const { status, out, err } = await run(...argv);
    assert.deepEqual([status, out], [2, ''], argv.join(' '));
    assert.match(err, /^keelson: [^\n]+\n$/, argv.join(' '));
  }
});

test('a mistyped command or flag is reported with the one that was meant', async () => {
  const cases: [argv: string[], meant: string][] = [
    [['serv'], '"serv" (did you mean serve?);'],
    [['serve', '--secureport=1'], '--secureport (did you mean --secure-port?);'],
    [['run', '--node=3', '--', 'true'], '--node (did you mean --nodes?);'],
    [['verify', '--datadir=x'], '--datadir (did you mean --data-dir?);'],
    [['migrate', '--chek', 'x'], '--chek (did you mean --check?);'],
    [['setup-envtest', 'use', '--bindir=x'], '--bindir (did you mean --bin-dir?);'],
    [['version', '--jsno'], '"--jsno" (did you mean --json?)'],
  ];
  for (const [argv, meant] of cases) {
    const { err } = await run(...argv);
    assert.ok(err.includes(meant), err);
  }
});
