// The files of docs/deploy: what they call is there, and systemd can read its unit where it is installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseServeFlags } from '../src/cli/flags.ts';

const folder = join(import.meta.dirname, '../docs/deploy');
const unit = readFileSync(join(folder, 'keelson.service'), 'utf8');
const container = readFileSync(join(folder, 'Containerfile'), 'utf8');

test('the command of the systemd unit starts a server, on data that the unit keeps', () => {
  const command = /^ExecStart=\/usr\/bin\/env keelson serve (.*)$/m.exec(unit)?.[1];
  const parsed = parseServeFlags(command?.split(' ') ?? ['none']);
  assert.ok('options' in parsed, JSON.stringify(parsed));
  assert.equal(parsed.options.dataDir, `/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1]}`);
});

const withoutSystemd = spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'systemd is not installed';

test('systemd-analyze accepts the systemd units', { skip: withoutSystemd }, () => {
  for (const unit of ['keelson.service', 'keelson-backup.service', 'keelson-backup.timer']) {
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, unit)], { encoding: 'utf8' });
    assert.deepEqual(
      `${stdout}${stderr}`.split('\n').filter((line) => line.includes(unit)),
      [],
    );
  }
});

test('the container image starts a server that is reachable, on its volume', () => {
  const words = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(container)?.[1] ?? '[]') as string[];
  assert.deepEqual(words.slice(0, 2), ['keelson', 'serve']);
  const parsed = parseServeFlags(words.slice(2));
  assert.ok('options' in parsed, JSON.stringify(parsed));
  assert.deepEqual(
    [parsed.options.bindAddress, parsed.options.dataDir],
    ['0.0.0.0', /^VOLUME (.*)$/m.exec(container)?.[1]],
  );
  assert.equal(String(parsed.options.securePort), /^EXPOSE (.*)$/m.exec(container)?.[1]);
  const node = /^FROM \S+\/node:(\d+)/m.exec(container)?.[1];
  assert.ok(Number(node) >= 24);
});
