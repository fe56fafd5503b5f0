import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { FollowedFile } from './followed-file.ts';

test('a configuration file that is removed counts as one failed reload, and is loaded when it is there again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'followed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.yaml');
  writeFileSync(path, 'one');
  const clock = new ManualClock();
  const told: string[] = [];
  const file = new FollowedFile({
    ...{ path, text: 'one', subject: 'authorization', clock, log: silentLog, serverIdHash: '' },
    apply: async (text) => void told.push(text),
    metrics: { loaded: () => {}, reloaded: (status: string) => void told.push(status) } as never,
  });
  t.after(() => file.stop());
  const become = (expected: string[]) =>
    until(expected.join(), () => {
      clock.advance(60_000);
      return told.length >= expected.length;
    }).then(() => assert.deepEqual(told, expected));
  rmSync(path);
  await become(['failure']);
  writeFileSync(path, 'two');
  await become(['failure', 'two', 'success']);
});
