// Runs the commands of docs/from-one-machine-to-many.md as they stand there, but for the ports.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../until.ts';
import { findEtcd, freePort, NO_ETCD } from './etcd-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const PORTS = ['6443', '6444', '2379'];
const program = findEtcd();

/** The commands of the page, line by line. */
function commands(): string[] {
  const page = readFileSync(join(ROOT, 'docs/from-one-machine-to-many.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)];
  return blocks.flatMap(([, block = '']) => block.trim().split('\n'));
}

function readyz(port: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('docs/from-one-machine-to-many.md', {
  skip: program === undefined ? NO_ETCD : false,
  timeout: 180_000,
}, () => {
  it('docs/from-one-machine-to-many.md has commands that work as described', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-many-'));
    const background: ChildProcess[] = [];
    const ports = new Map<string, string>();
    for (const port of PORTS) ports.set(port, String(await freePort()));
    const peer = `http://127.0.0.1:${await freePort()}`;
    const run = (command: string) => {
      const [name = '', ...args] = command
        .replaceAll(/\b(?:6443|6444|2379)\b/g, (port) => ports.get(port) ?? port)
        .replace(/ &$/, '')
        .split(' ');
      const [file, all] =
        name === 'keelson'
          ? [process.execPath, [join(ROOT, 'bin/keelson.js'), ...args]]
          : name === 'etcd'
            ? [
                program ?? '',
                [...args, `--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`].concat(
                  `--initial-cluster=default=${peer}`,
                ),
              ]
            : [name, args];
      return spawn(file, all, { cwd: folder, stdio: 'ignore' });
    };
    const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      for (const command of commands()) {
        const killed = /^kill %(\d+)$/.exec(command);
        if (killed !== null) {
          const child = background[Number(killed[1]) - 1];
          assert.ok(child !== undefined && child.exitCode === null, `${command}: there is no such job`);
          const end = ended(child);
          child.kill('SIGTERM');
          await end;
        } else if (command.endsWith(' &')) {
          background.push(run(command));
          const port = /--secure-port=(\d+)/.exec(command)?.[1];
          if (port !== undefined) await until(command, async () => (await readyz(ports.get(port) ?? '')) === 200);
        } else {
          assert.equal(await ended(run(command)), 0, command);
        }
      }
      assert.equal(await readyz(ports.get('6444') ?? ''), 200);
      await assert.rejects(readyz(ports.get('6443') ?? ''));
    } finally {
      for (const child of background) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });
});
