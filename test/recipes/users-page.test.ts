// The commands of docs/users.md, each run as it stands on the page and in its order. Servers get any free port.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { answers, type RunningCommand, run, start } from '../clients/commands.ts';
import { withoutKubectl } from '../clients/kubectl.ts';
import { until } from '../until.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/users.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'keelson-users-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const tools = join(folder, 'tools');
mkdirSync(tools);
const program = `'${process.execPath}' '${join(root, 'bin/keelson.js')}'`;
writeFileSync(
  join(tools, 'keelson'),
  `#!/bin/sh\nif [ "$1" = serve ]; then exec ${program} "$@" --secure-port=0; fi\nexec ${program} "$@"\n`,
  { mode: 0o755 },
);

const options = {
  cwd: folder,
  env: {
    PATH: `${tools}${delimiter}${process.env['PATH']}`,
    KUBECONFIG: 'keelson-data/admin.kubeconfig',
    HOME: folder,
  },
};

/** The blocks of commands, in order. */
const blocks = page.match(/^(?: {4}.*\n)+/gm)!.map((block) => block.replaceAll(/^ {4}/gm, ''));

const missing = ['curl', 'openssl'].find((tool) => !answers(tool, tool === 'curl' ? '--version' : 'version'));
const skip = withoutKubectl || (missing === undefined ? false : `${missing} is not installed`);

test('the commands of docs/users.md give each kind of user access', { skip }, async () => {
  const said = new Map<string, string>();
  let server: RunningCommand | undefined;
  try {
    for (const block of blocks) {
      if (!block.startsWith('keelson serve')) {
        // Variables last until the end of a block, and so does the first failure.
        said.set(block, await run('bash', ['-ec', block], options));
        continue;
      }
      assert.equal((await server?.stop()) ?? 0, 0);
      const starting = start('bash', ['-ec', `exec ${block}`], options);
      server = starting;
      await until('the server listens', () => starting.stdout.includes('Keelson listens on '));
    }
  } finally {
    await server?.stop();
  }
  const output = (part: string) => [...said].find(([block]) => block.includes(part))?.[1] ?? '';
  assert.match(output('auth whoami'), /Username +alice\nGroups +\[devs system:authenticated\]\n(?:.*\n)*yes\n$/);
  assert.match(output('--user=bob'), /\nyes\n$/);
  assert.equal(JSON.parse(output('curl ')).kind, 'PodList');
  assert.match(
    readFileSync(join(folder, 'alice-remote.kubeconfig'), 'utf8'),
    /server: "https:\/\/keelson\.example\.com:6443"/,
  );
});
