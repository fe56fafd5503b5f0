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

test('version prints one line', async () => {
  const { status, out, err } = await run('version');
  assert.equal(status, 0);
  assert.match(out, /^Keelson \d+\.\d+\.\d+ \(Kubernetes v1\.34\.\d+\)\n$/);
  assert.equal(err, '');
});

test('help goes to the output when asked for, to the errors when no command was given', async () => {
  const asked = await run('help');
  assert.equal(asked.status, 0);
  assert.match(asked.out, /keelson serve \[flags\]/);
  const missing = await run();
  assert.deepEqual(missing, { status: 1, out: '', err: asked.out });
  const flags = await run('serve', '--help');
  assert.equal(flags.status, 0);
  assert.match(flags.out, /--secure-port int/);
});

test('help of a command is what the command says of itself', async () => {
  for (const name of ['serve', 'run', 'backup', 'copy', 'migrate', 'version']) {
    assert.deepEqual(await run('help', name), await run(name, '--help'));
  }
  assert.deepEqual(await run('help', 'nothing'), await run('nothing'));
});

test('version takes no arguments', async () => {
  assert.deepEqual(await run('version', '--output=json'), {
    status: 1,
    out: '',
    err: 'keelson: version does not take any arguments, got "--output=json"\n',
  });
});

test('a file of flags that is not there is named', async () => {
  const { err } = await run('serve', '--config=/no/flags.yaml');
  assert.equal(
    err,
    "keelson: open /no/flags.yaml: no such file or directory; 'keelson serve --help' lists the flags\n",
  );
});

test('a store or a backup that is not there is named', async () => {
  assert.equal((await run('verify', '/no/backup')).err, 'keelson: there is no file /no/backup\n');
  assert.equal((await run('verify', '--data-dir=/no/store')).err, 'keelson: there is no store in /no/store\n');
  const missing = await run('copy', '--from', '/no/store', '--to', '/no/other');
  assert.deepEqual([missing.status, missing.err], [1, 'keelson: there is no store in /no/store\n']);
  assert.equal(
    (await run('copy', '--from', '/no/store', '--to', '127.0.0.1:2379')).err,
    'keelson: --to 127.0.0.1:2379: URLs of etcd begin with http:// or https://\n',
  );
});

test('what cannot be understood is one line on the errors and status 1', async () => {
  assert.deepEqual(await run('serv'), {
    status: 1,
    out: '',
    err: `keelson: unknown command "serv"; 'keelson help' lists the commands\n`,
  });
  assert.deepEqual(await run('serve', '--nothing'), {
    status: 1,
    out: '',
    err: `keelson: unknown flag: --nothing; 'keelson serve --help' lists the flags\n`,
  });
});
