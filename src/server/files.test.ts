import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readText } from './files.ts';

test('a file is read whole, even if characters of several bytes are split', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-files-'));
  try {
    const text = `a${'é€'.repeat(100_000)}`;
    writeFileSync(join(folder, 'file'), text);
    assert.equal(readText(join(folder, 'file')), text);
    assert.throws(() => readText(folder), { message: `read ${folder}: is a directory` });
    assert.throws(() => readText(join(folder, 'none')), { message: `open ${folder}/none: no such file or directory` });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a device without an end is read up to a limit', { skip: process.platform === 'win32' }, () => {
  assert.throws(() => readText('/dev/zero'), { message: /^read \/dev\/zero: larger than \d+ bytes$/ });
});
