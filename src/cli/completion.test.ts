import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { commands } from './commands.ts';
import { complete } from './completion.ts';
import { valuesOf } from './flags/flag-values.ts';
import { serveFlags } from './flags/sections.ts';
import { parseServeFlags } from './flags.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('shell completion offers commands, flags and values', () => {
  assert.deepEqual(complete(['re']), ['restore']);
  assert.deepEqual(complete(['completion', '']), ['bash', 'fish', 'zsh']);
  assert.deepEqual(complete(['serve', '--secure']), ['--secure-port']);
  assert.deepEqual(complete(['serve', '--store', '']), ['embedded', 'memory']);
  assert.deepEqual(complete(['serve', '--store=m']), ['--store=memory']);
  assert.deepEqual(complete(['cel', '--kubernetes-version', '1.37']), ['1.37']);
  assert.deepEqual(complete(['run', '--kubernetes-version=1.37']), ['--kubernetes-version=1.37']);
  assert.deepEqual(complete(['serve', '--anonymous-auth=']), ['--anonymous-auth=false', '--anonymous-auth=true']);
  assert.deepEqual(complete(['serve', '--anonymous-auth', '--sto']), [
    '--storage-backend',
    '--storage-initialization-timeout',
    '--storage-media-type',
    '--store',
  ]);
  assert.deepEqual(complete(['migrate', '--check', '--t']), ['--to']);
  assert.deepEqual(complete(['serve', '--data-dir', '']), [], 'the shell completes files');
  assert.deepEqual(complete(['run', '--', '--st']), [], 'what stands there is of another program');
});

test('shell completion offers exactly the valid values of flags', () => {
  const recording = ['--audit-log-path=-', '--audit-webhook-config-file=x', '--audit-policy-file=y'];
  for (const flag of serveFlags) {
    const values = valuesOf(flag);
    if (values.length === 0) continue;
    const problem = (value: string) => {
      const parsed = parseServeFlags([...recording, `--${flag.name}=${value}`]);
      return (
        'error' in parsed &&
        /invalid|[Uu]nsupported|must be one of|not a valid mode|unknown tls version|not a known release/.test(
          parsed.error,
        )
      );
    };
    if (flag.name !== 'store') assert.ok(problem('nonsense'), flag.name);
    for (const value of values) assert.ok(!problem(value), `${flag.name}=${value}`);
  }
});

test('shell completion knows every flag in the help of a command', async () => {
  for (const { name, flags } of commands.filter(({ serves }) => serves === undefined)) {
    if (['version', 'help'].includes(name)) continue;
    let out = '';
    const fail = () => assert.fail(`${name} --help does more than print`);
    const streams = { out: (text: string) => (out += text), err: fail, onStopSignal: fail, onFault: fail, exit: fail };
    assert.equal(await main([name, '--help'], streams), 0, name);
    for (const flag of Object.keys(flags)) assert.ok(out.includes(flag), `${name} ${flag}`);
  }
});

const withoutBash = spawnSync('bash', ['-c', 'complete'], { stdio: 'ignore' }).status === 0 ? false : 'no bash here';

test('bash completes with the script', { skip: withoutBash }, () => {
  const keelson = join(folder, 'keelson');
  const program = join(import.meta.dirname, '../../bin/keelson.js');
  writeFileSync(keelson, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(keelson, 0o755);
  const script = `
source <(keelson completion bash)
try() { COMP_LINE="$1" COMP_POINT=\${#1}; COMPREPLY=(); _keelson; echo "\${COMPREPLY[*]}"; }
try 'keelson mig'
try 'keelson serve --store '
try 'keelson serve --store=me'
try 'keelson serve --tls-min-version VersionTLS13 --secure-p'
try 'keelson completion '
complete -p keelson
`;
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const said = execFileSync('bash', ['-c', script], { encoding: 'utf8', env });
  assert.deepEqual(said.trim().split('\n'), [
    'migrate',
    'embedded memory',
    'memory',
    '--secure-port',
    'bash fish zsh',
    'complete -o default -F _keelson keelson',
  ]);
});

test('completion for an unknown shell is rejected', async () => {
  let err = '';
  const fail = () => assert.fail();
  const streams = { out: fail, err: (text: string) => (err += text), onStopSignal: fail, onFault: fail, exit: fail };
  assert.equal(await main(['completion', 'tcsh'], streams), 2);
  assert.match(err, /bash, zsh, fish/);
});
