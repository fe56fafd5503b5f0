import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSigningKey, readSigningKey } from './signing-key.ts';

test('the key for service account tokens is created once, for its owner only, and found again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-'));
  try {
    const pki = join(folder, 'pki');
    const file = join(pki, 'service-account.key');
    const made = loadSigningKey(pki);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = await readFile(file, 'utf8');
    assert.equal(loadSigningKey(pki).id, made.id);
    assert.equal(await readFile(file, 'utf8'), text);
    assert.equal(readSigningKey(file).id, made.id);
    await writeFile(file, 'no key');
    assert.throws(() => readSigningKey(file), /does not contain a valid RSA or ECDSA private key/);
    assert.throws(
      () => loadSigningKey(pki),
      /service-account\.key is not an intact private key: restore it from a backup; or remove it/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a stored key for tokens with one changed character is rejected with a remedy, or is the same key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-'));
  try {
    const file = join(folder, 'service-account.key');
    const { id } = loadSigningKey(folder);
    const whole = await readFile(file, 'utf8');
    let refused = 0;
    for (let at = whole.indexOf('\n') + 1; at < whole.lastIndexOf('\n-----'); at++) {
      if (whole[at] === '\n') continue;
      await writeFile(file, `${whole.slice(0, at)}${whole[at] === 'A' ? 'B' : 'A'}${whole.slice(at + 1)}`);
      try {
        assert.equal(loadSigningKey(folder).id, id, `${at}`);
      } catch (error) {
        assert.match(
          String(error),
          /service-account\.key is not an intact private key: restore it from a backup; or remove/,
        );
        refused++;
      }
    }
    assert.ok(refused > 150, `${refused}`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('without a data folder each key for tokens is new', async () => {
  assert.notEqual(loadSigningKey(undefined).id, loadSigningKey(undefined).id);
});
