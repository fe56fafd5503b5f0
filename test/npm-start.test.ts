// `npm start`, ended by the process id of npm: by a supervisor or a script, which knows no other one.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..');
const skip = spawnSync('npm', ['--version']).status === 0 ? false : 'npm is not on the PATH';

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`a server started by npm start ends with the process of npm, ended by ${signal}`, { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-npm-start-'));
    const npm = spawn('npm', ['start', '--', '--secure-port=0', `--data-dir=${folder}`], { cwd: root });
    let said = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    // The streams close when the last process that writes to them has ended: the server, if npm leaves it running.
    const closed = once(npm, 'close');
    try {
      await until('the server listens', () => said.includes('listens on') || npm.exitCode !== null);
      const [, port = ''] = /https:\/\/[^:\s]+:(\d+)/.exec(said) ?? [];
      npm.kill(signal);
      await closed;
      assert.match(said, /Draining/, 'the server has ended by itself');
      await assert.rejects(once(connect(Number(port), '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
    } finally {
      npm.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
