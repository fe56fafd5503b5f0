// The commands of docs/backup.md, each run as it stands on the page and in its order, and what its timer starts.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningCommand, run, start } from '../clients/commands.ts';
import { until } from '../until.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/backup.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'keelson-backups-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const tools = join(folder, 'tools');
mkdirSync(tools);
const program = `'${process.execPath}' '${join(root, 'bin/keelson.js')}'`;
writeFileSync(
  join(tools, 'keelson'),
  `#!/bin/sh\nif [ "$1" = serve ]; then exec ${program} "$@" --secure-port=0; fi\nexec ${program} "$@"\n`,
  { mode: 0o755 },
);
const options = { cwd: folder, env: { PATH: `${tools}${delimiter}${process.env['PATH']}`, HOME: folder } };

/** Starts a server that is to be stopped. */
async function serve(command: string): Promise<RunningCommand> {
  const server = start('bash', ['-ec', `exec ${command}`], options);
  await until('the server listens', () => server.stdout.includes('Keelson listens on '));
  return server;
}

const authority = (dataDir: string): string => readFileSync(join(folder, dataDir, 'pki/ca.crt'), 'utf8');

let server: RunningCommand;
before(async () => {
  server = await serve('keelson serve');
});
after(() => server?.stop());

test('the commands of docs/backup.md back up a running server, and restore it with its keys', async () => {
  const blocks = page.match(/^(?: {4}\S.*\n)+/gm)!.map((block) => block.replaceAll(/^ {4}/gm, ''));
  const commands = blocks.flatMap((block) => block.trimEnd().split('\n'));
  assert.equal(commands.length, 9);
  const said = new Map<string, string>();
  for (const command of commands) {
    if (command.startsWith('keelson serve')) assert.equal(await (await serve(command)).stop(), 0);
    else said.set(command, await run('bash', ['-ec', command], options));
  }
  assert.equal(authority('restored'), authority('keelson-data'));
  assert.equal(authority('as-before'), authority('keelson-data'));
  const restored = [...said].find(([command]) => command.startsWith('keelson restore tuesday.db'))?.[1];
  assert.match(restored ?? '', /: \d+ rows, all whole(?:\. \d+ rows? of the backup w\w+ .*)?\n$/);
});

/** A command of the page or a unit, with its folders in this one. */
function here(command: string): string {
  return command
    .replaceAll('/var/lib/keelson', join(folder, 'keelson-data'))
    .replaceAll('/var/backups/keelson', join(folder, 'nightly'))
    .replaceAll('/etc/keelson/passphrase', join(folder, 'secret'));
}

test('the nightly backup of the systemd unit is complete, and removes those of another month', async () => {
  mkdirSync(join(folder, 'nightly'));
  writeFileSync(join(folder, 'secret'), 'a long passphrase');
  const old = join(folder, 'nightly/2000-01-01.db');
  writeFileSync(old, '');
  utimesSync(old, 0, 0);
  const unit = readFileSync(join(root, 'docs/deploy/keelson-backup.service'), 'utf8');
  const command = /^ExecStart=\/bin\/sh -ec '(.*)'$/m.exec(unit)?.[1] ?? '';
  await run('/bin/sh', ['-ec', here(command.replaceAll('%%', '%').replaceAll('$$', '$'))], options);
  const names = readdirSync(join(folder, 'nightly'));
  assert.match(names.sort().join(' '), /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.db \S+\.db\.keys$/);
  const cron = /^0 3 \* \* \* (.*)$/m.exec(page)?.[1] ?? '';
  await run('/bin/sh', ['-ec', here(cron.replaceAll('\\%', '%'))], options);
  assert.equal(readdirSync(join(folder, 'nightly')).length, 3);
});
