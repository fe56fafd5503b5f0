// The console as commands start it: beside a server with --console, and by itself with a kubeconfig.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const program = join(import.meta.dirname, '../../bin/keelson.js');

test('keelson serve --console and keelson console --kubeconfig print the link of a console', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-console-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const start = (argv: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [program, ...argv], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const server = start(['serve', '--data-dir=data', '--secure-port=0', '--console']);
  const beside = await session(await printed(server, /The console: (\S+)/));
  assert.equal(beside.readOnly, false);
  const alone = start(['console', '--kubeconfig=data/admin.kubeconfig', '--read-only']);
  const itself = await session(await printed(alone, /The console of keelson: (\S+)/));
  assert.deepEqual(itself, { ...beside, readOnly: true });
  for (const child of [alone, server]) {
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  }
});

test('keelson console --demo shows a sample cluster with nodes', async (t) => {
  const child = spawn(process.execPath, [program, 'console', '--demo'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const link = await printed(child, /The console of \S+: (\S+)/);
  const cookie = (await fetch(link)).headers.get('set-cookie')!.split(';', 1)[0]!;
  const list = async (path: string): Promise<string[]> => {
    const answer = await fetch(new URL(`/k8s${path}`, link), { headers: { cookie } });
    return ((await answer.json()) as { items: { metadata: { name: string } }[] }).items.map(
      ({ metadata }) => metadata.name,
    );
  };
  // Nodes register when the server is there.
  let nodes = await list('/api/v1/nodes');
  while (nodes.length < 3) nodes = await list('/api/v1/nodes');
  assert.deepEqual(nodes, ['node-1', 'node-2', 'node-3']);
  assert.deepEqual(await list('/apis/apps/v1/namespaces/store/deployments'), ['search', 'shop']);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

function printed(child: ChildProcess, line: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const found = line.exec(text);
      if (found !== null) resolve(found[1]!);
    });
    child.once('exit', () => reject(new Error(`it ended and printed ${text}`)));
  });
}

/** What the page learns first, by the cookie that the link gives. */
async function session(link: string): Promise<{ context: string; server: string; readOnly: boolean }> {
  const opened = await fetch(link);
  assert.equal(opened.status, 200);
  assert.equal((await fetch(link)).status, 401);
  const cookie = opened.headers.get('set-cookie')!.split(';', 1)[0]!;
  const answer = await fetch(new URL('/console/session', link), { headers: { cookie } });
  return (await answer.json()) as { context: string; server: string; readOnly: boolean };
}
