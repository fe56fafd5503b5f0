// The page on adding a field, followed to the letter: its changes are made to a copy of the source, and a server of that
// copy is asked for the field.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

interface Change {
  readonly file: string;
  /** The line behind which something is added. */
  readonly line: string;
  readonly added: string;
}

/** The changes in a page: a file, a line of it, and lines that come behind that one. */
function changesIn(page: string): Change[] {
  const blocks = [...page.matchAll(/^ *```diff\n([\s\S]*?)^ *```$/gm)];
  return blocks.map(([, block = '']) => {
    const lines = block.split('\n').map((line) => line.replace(/^ {3}/, ''));
    const file = lines[0]!.replace('--- ', '');
    const line = lines.find((each) => each.startsWith(' '))!.slice(1);
    const added = lines.filter((each) => each.startsWith('+')).map((each) => each.slice(1));
    return { file, line, added: added.join('\n') };
  });
}

function apply(folder: string, { file, line, added }: Change): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(`\n${line}\n`), `${file} has no line ${line}`);
  writeFileSync(
    path,
    text.replace(`\n${line}\n`, () => `\n${line}\n${added}\n`),
  );
}

/** What a server of the copy answers, as JSON on the output. */
const ASKING = `
import { protobufBytes } from './src/http/response/protobuf-bytes.ts';
import { parseProtobufBody } from './src/http/body/protobuf-body.ts';
import { startTestServer } from './src/testing.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const type = { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1' };
const lease = (name, spec) => ({ ...type, metadata: { name }, spec });
const server = await startTestServer();
const written = await server.request('POST', path, lease('a', { attempts: 3 }));
const refused = await server.request('POST', path, lease('b', { attempts: -1 }));
const mistyped = await server.request('POST', path + '?fieldValidation=Strict', lease('c', { attempt: 3 }));
const document = await server.request('GET', '/openapi/v3/apis/coordination.k8s.io/v1');
await server.close();
console.log(JSON.stringify({
  attempts: written.body.spec.attempts,
  owned: Object.keys(written.body.metadata.managedFields[0].fieldsV1['f:spec']),
  refused: refused.body.details.causes[0].field,
  mistyped: mistyped.status,
  published: document.body.components.schemas['io.k8s.api.coordination.v1.LeaseSpec'].properties.attempts,
  protobuf: (await parseProtobufBody(protobufBytes(written.body), type)).value.spec.attempts,
}));
`;

test('a field that is added as described in the how-to is served in every way', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'add-a-field-'));
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const changes = changesIn(readFileSync(join(root, 'docs/how-to/add-a-field.md'), 'utf8'));
    assert.equal(changes.length, 2);
    for (const change of changes) apply(folder, change);
    writeFileSync(join(folder, 'ask.ts'), ASKING);
    const { stdout } = await run(process.execPath, ['ask.ts'], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), {
      attempts: 3,
      owned: ['f:attempts'],
      refused: 'spec.attempts',
      mistyped: 400,
      published: { type: 'integer', format: 'int32' },
      protobuf: 3,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
