import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { syncFolder } from './private-files.ts';

test('a folder is synced on systems that can sync folders', () => {
  syncFolder(tmpdir(), 'linux');
  assert.throws(() => syncFolder(join(tmpdir(), 'no-such-folder'), 'linux'), { code: 'ENOENT' });
  syncFolder(join(tmpdir(), 'no-such-folder'), 'win32');
});
