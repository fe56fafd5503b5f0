import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { backUpStore, checkStoreAt, restoreStore } from '../server/store-care.ts';
import type { StoreStep } from '../store/store-check.ts';
import { startTestServer } from '../testing.ts';
import { countProgress, storeProgress } from './store-progress.ts';

test('the steps of a large store are told, its rows from time to time', () => {
  let [now, said] = [1_000_000, ''];
  const tell = storeProgress({ err: (text) => (said += text) }, () => now);
  const bytes = 1_230_000_000;
  for (const step of ['copy', 'check'] as const) tell({ step, bytes });
  for (const rows of [50_000, 100_000, 150_000]) {
    tell({ step: 'rows', bytes, rows });
    now += 1500;
  }
  tell({ step: 'write', bytes });
  assert.equal(said, 'copying 1.23 GB\nchecking 1.23 GB\nchecked 150000 rows\nwriting 1.23 GB\n');
});

test('the steps of a small store are not told, nor counts of work that is soon done', () => {
  let said = '';
  const command = { err: (text: string) => void (said += text) };
  storeProgress(command)({ step: 'copy', bytes: 1_000_000 });
  countProgress(command)('copied 500 objects');
  assert.equal(said, '');
});

test('a backup, its check and its restoration tell what they are doing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-progress-'));
  try {
    const [dataDir, file] = [join(folder, 'data'), join(folder, 'backup')];
    {
      await using server = await startTestServer({ controllers: '', store: 'embedded', dataDir });
      await server.request('GET', '/version');
    }
    const steps: StoreStep['step'][] = [];
    const onStep = ({ step, bytes }: StoreStep) => {
      assert.ok(bytes > 0);
      steps.push(step);
    };
    backUpStore(dataDir, file, onStep);
    checkStoreAt({ file }, onStep);
    restoreStore(join(folder, 'new'), file, { onStep });
    const restored = ['check', 'copy', 'write', 'check'];
    assert.deepEqual(steps, ['copy', 'check', 'write', 'check', 'check', ...restored]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
