// Mistakes that people make on the command line. Each is reported in one line that names the file or the flag, says what
// is wrong and, where that does not say it already, what to do.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestServer } from '../testing.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-mistakes-'));
const at = (name: string) => join(folder, name);
const taken = createServer().listen(0, '127.0.0.1');

before(async () => {
  mkdirSync(at('empty'));
  writeFileSync(at('file'), '');
  writeFileSync(at('bad.yaml'), 'a: [1, 2\n');
  writeFileSync(at('binary.yaml'), '\0\u0001');
  {
    await using server = await startTestServer({ controllers: '', store: 'embedded', dataDir: at('store') });
    await server.request('GET', '/version');
  }
  assert.equal((await run(['backup', at('b.db'), '--data-dir', at('store')])).err, '');
});

after(() => {
  taken.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const said = { status: 0, out: '', err: '' };
  said.status = await main(argv, {
    env,
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    onStopSignal: () => {},
    onFault: () => {},
    exit: () => assert.fail('nothing is started'),
  });
  return said;
}

const inMemory = ['serve', '--store=memory', '--secure-port=0', `--data-dir=${at('none')}`];

interface Mistake {
  readonly what: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly status: 1 | 2;
  readonly says: string;
}

const MISTAKES: readonly Mistake[] = [
  {
    what: 'a flag without its value',
    argv: ['kubeconfig', '--user'],
    status: 2,
    says: "flag needs an argument: --user; see 'keelson kubeconfig --help'",
  },
  {
    what: 'a value that begins with a dash',
    argv: ['kubeconfig', '--user=a', '--expires', '-1d'],
    status: 2,
    says: "flag needs an argument: --expires; one that begins with a dash is given as --expires=-…; see 'keelson kubeconfig --help'",
  },
  {
    what: 'a value for a flag that takes none',
    argv: ['backup', 'x', '--json=yes'],
    status: 2,
    says: "flag takes no argument: --json; see 'keelson backup --help'",
  },
  {
    what: 'a superfluous word',
    argv: ['console', 'foo'],
    status: 2,
    says: `console does not take any arguments, got "foo"; see 'keelson console --help'`,
  },
  {
    what: 'a superfluous word of testserver',
    argv: ['testserver', 'foo'],
    status: 2,
    says: `"keelson testserver" does not take any arguments, got ["foo"]; see 'keelson testserver --help'`,
  },
  {
    what: 'a superfluous word of verify',
    argv: ['verify', '--etcd-servers=http://127.0.0.1:1', 'foo'],
    status: 2,
    says: `"keelson verify" does not take any arguments, got ["foo"]; see 'keelson verify --help'`,
  },
  {
    what: 'a superfluous word of copy',
    argv: ['copy', '--from=http://127.0.0.1:1', '--to=http://127.0.0.1:2', 'foo'],
    status: 2,
    says: `"keelson copy" does not take any arguments, got ["foo"]; see 'keelson copy --help'`,
  },
  {
    what: 'a second file of backup',
    argv: ['backup', '--etcd-servers=http://127.0.0.1:1', 'foo', 'bar'],
    status: 2,
    says: `"keelson backup" takes one file, got ["foo" "bar"]; see 'keelson backup --help'`,
  },
  {
    what: 'a backup of etcd without a file',
    argv: ['backup', '--etcd-servers=http://127.0.0.1:1'],
    status: 2,
    says: "backup of etcd needs a file and --etcd-servers; see 'keelson backup --help'",
  },
  {
    what: 'a mistyped flag of run',
    argv: ['run', '--laod', 'x', '--', 'true'],
    status: 2,
    says: "unknown flag: --laod (did you mean --load?); see 'keelson run --help'",
  },
  {
    what: 'a mistyped --version',
    argv: ['--versoin'],
    status: 2,
    says: `unknown command "--versoin" (did you mean --version?); 'keelson help' lists the commands`,
  },
  {
    what: 'a mistyped shell',
    argv: ['completion', 'bsh'],
    status: 2,
    says: "completion needs one of bash, zsh, fish (did you mean bash?); see 'keelson completion --help'",
  },
  {
    what: 'a mistyped command of setup-envtest',
    argv: ['setup-envtest', 'us'],
    status: 2,
    says: `setup-envtest has no command "us" (did you mean use?); see 'keelson setup-envtest --help'`,
  },
  {
    what: 'a missing configuration file',
    argv: ['serve', '--config', at('none.yaml')],
    status: 2,
    says: `open ${at('none.yaml')}: no such file or directory; see --config`,
  },
  {
    what: 'a missing configuration file in the environment',
    argv: ['serve'],
    env: { KEELSON_CONFIG: at('none.yaml') },
    status: 2,
    says: `open ${at('none.yaml')}: no such file or directory; see KEELSON_CONFIG`,
  },
  {
    what: 'a malformed configuration file',
    argv: ['testserver', '--config', at('bad.yaml')],
    status: 2,
    says: `${at('bad.yaml')}: yaml: line 1: did not find expected ',' or ']'; see --config`,
  },
  {
    what: 'a missing file of a flag',
    argv: [...inMemory, '--token-auth-file', at('none.csv')],
    status: 1,
    says: `open ${at('none.csv')}: no such file or directory; see --token-auth-file`,
  },
  {
    what: 'a missing file of a flag of testserver',
    argv: ['testserver', '--client-ca-file', at('none.crt')],
    status: 1,
    says: `open ${at('none.crt')}: no such file or directory; see --client-ca-file`,
  },
  {
    what: 'a malformed file of a list of them',
    argv: [...inMemory, '--nodes=1', '--stages', at('bad.yaml')],
    status: 1,
    says: `${at('bad.yaml')}: yaml: line 1: did not find expected ',' or ']'; see --stages`,
  },
  {
    what: 'an empty certificate',
    argv: [...inMemory, '--client-ca-file', at('file')],
    status: 1,
    says: `missing content for CA bundle "client-ca-bundle::${at('file')}"; see --client-ca-file`,
  },
  {
    what: 'an unknown group of APIs',
    argv: [...inMemory, '--runtime-config=foo/v1=true'],
    status: 1,
    says: 'unknown api groups foo; see --runtime-config',
  },
  {
    what: 'an unknown feature gate',
    argv: ['serve', '--feature-gates=Foo=true'],
    status: 2,
    says: 'unrecognized feature gate: Foo; see --feature-gates',
  },
  {
    what: 'a data folder below one that cannot be made',
    argv: ['serve', '--data-dir=/proc/x/y', '--secure-port=0'],
    status: 1,
    says: 'cannot use the data folder /proc/x/y: mkdir /proc/x: no such file or directory; make it a folder in which the server may create files, or choose another with --data-dir',
  },
  {
    what: 'a folder without manifests',
    argv: ['run', '--load', at('empty'), '--', 'true'],
    status: 1,
    says: `${at('empty')}: has no manifests, which end in .yaml, .yml or .json`,
  },
  {
    what: 'a file in the place of a folder of envtest',
    argv: ['envtest-assets', at('file')],
    status: 1,
    says: `${at('file')} is a file: name a folder for the programs`,
  },
  {
    what: 'a folder of envtest where none can be made',
    argv: ['envtest-assets', '/proc/x'],
    status: 1,
    says: 'mkdir /proc/x: no such file or directory',
  },
  {
    what: 'an unknown release for envtest',
    argv: ['envtest-assets', at('assets'), '--kubernetes-version=1.99'],
    status: 2,
    says: `--kubernetes-version: "1.99" is not a known release; known are `,
  },
  {
    what: 'a folder of setup-envtest where none can be made',
    argv: ['setup-envtest', 'use', '--bin-dir', '/proc/x'],
    status: 2,
    says: 'mkdir /proc/x: no such file or directory; choose another folder with --bin-dir',
  },
  {
    what: 'a console without a kubeconfig',
    argv: ['console'],
    env: { HOME: at('empty') },
    status: 1,
    says: `there is no kubeconfig at ${at('empty/.kube/config')}: name one with --kubeconfig or KUBECONFIG, or look at a sample cluster with 'keelson console --demo'`,
  },
  {
    what: 'a missing kubeconfig of the console',
    argv: ['console', '--kubeconfig', at('none')],
    status: 1,
    says: `stat ${at('none')}: no such file or directory; see --kubeconfig`,
  },
  {
    what: 'a missing kubeconfig of migrate',
    argv: ['migrate', '--server', '--kubeconfig', at('none')],
    status: 1,
    says: `stat ${at('none')}: no such file or directory; see --kubeconfig`,
  },
  {
    what: 'a backup in a missing folder',
    argv: ['backup', at('none/b.db'), '--data-dir', at('store')],
    status: 1,
    says: `cannot write ${at('none/b.db')}: no such file or directory; make its folder first, or choose another`,
  },
  {
    what: 'a missing passphrase',
    argv: ['backup', at('b.db'), '--with-keys', '--passphrase-file', at('none')],
    status: 1,
    says: `open ${at('none')}: no such file or directory; see --passphrase-file`,
  },
  {
    what: 'a store in the place of a restored one',
    argv: ['restore', at('b.db'), '--data-dir', at('store')],
    status: 1,
    says: `${at('store/store.db')} already exists: move it away, or choose another folder with --data-dir`,
  },
  {
    what: 'a missing manifest to migrate',
    argv: ['migrate', at('none.yaml')],
    status: 1,
    says: `open ${at('none.yaml')}: no such file or directory; no file was changed`,
  },
  {
    what: 'a binary file to migrate',
    argv: ['migrate', at('binary.yaml')],
    status: 1,
    says: `${at('binary.yaml')}: yaml: control characters are not allowed; no file was changed`,
  },
  {
    what: 'a malformed schema of an expression',
    argv: ['cel', '--schema', at('bad.yaml'), 'self.a'],
    status: 1,
    says: `${at('bad.yaml')}: yaml: line 1: did not find expected ',' or ']'`,
  },
];

for (const { what, argv, env, status, says } of MISTAKES) {
  test(`a mistake is reported with what to do: ${what}`, async () => {
    const said = await run(argv, env);
    const lines = said.err.split('\n').filter((line) => !/^\d{4}-.* (?:INFO|WARN) /.test(line));
    assert.ok(lines[0]?.startsWith(`keelson: ${says}`), said.err);
    assert.deepEqual([said.status, lines.length], [status, 2], said.err);
  });
}

test('a mistake is reported with what to do: the port of another console', async () => {
  const { port } = taken.address() as { port: number };
  const { status, err } = await run(['console', '--demo', '--port', String(port)]);
  assert.deepEqual(
    [status, err],
    [
      1,
      `keelson: cannot listen on 127.0.0.1:${port}: another program uses that port; set --port to another one, or to 0 for any free one\n`,
    ],
  );
});

test('a damaged backup is reported as one, without advice on the folder of a server', async () => {
  writeFileSync(at('cut.db'), readFileSync(at('b.db')).subarray(0, 30_000));
  const { status, out } = await run(['verify', at('cut.db')]);
  assert.equal(status, 1);
  assert.match(out, /^The backup is damaged; [^\n]*: use another one\n$/);
});
