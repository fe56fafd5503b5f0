import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';

const program = join(import.meta.dirname, '../../../bin/keelson.js');
const failing = new URL('../../../test/clients/failing-thread.ts', import.meta.url).href;

test('a server ends with an error if one of its serving threads fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-failing-'));
  const file = join(folder, 'fault');
  const server = spawn(
    process.execPath,
    [
      ...['--import', failing, program, 'serve', '--serving-threads=2', '--secure-port=0'],
      ...['--store=memory', `--data-dir=${join(folder, 'data')}`],
    ],
    { env: { ...process.env, FAULT_FILE: file }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  try {
    let output = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const ended = once(server, 'close');
    await until('it listens', () => output.includes('Keelson listens') || server.exitCode !== null);
    writeFileSync(file, '');
    const [status] = await ended;
    assert.notEqual(status, 0);
    assert.match(output, /serving thread 2 ended: a fault for a test/);
  } finally {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
