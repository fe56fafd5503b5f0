// The quick start on the first screen of README.md, run by a shell as it is typed there.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { quickStart } from '../../scripts/quick-start.ts';
import { oldestAndNewest, withoutKubectl } from './kubectl.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'keelson.js');
const folder = mkdtempSync(join(tmpdir(), 'keelson-quick-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the commands of the quick start make a Deployment ready and move its pods', {
  skip: withoutKubectl,
}, async () => {
  symlinkSync(oldestAndNewest().at(-1)!.binary, join(folder, 'kubectl'));
  const [serve, ...others] = quickStart;
  const script = [
    'set -e; trap "kill %1; wait" EXIT',
    // On any port, and without the delays that people look at.
    `keelson() { exec ${process.execPath} ${program} "$@" --secure-port=0 --node-delays=none; }`,
    serve,
    'until KUBECONFIG=keelson-data/admin.kubeconfig kubectl get --raw /readyz >/dev/null 2>&1; do sleep 0.2; done',
    ...others,
  ];
  const env = { ...process.env, HOME: folder, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')], { cwd: folder, env });
  assert.match(stdout, /deployment "web" successfully rolled out/);
  assert.match(stdout, /node\/node-1 drained/);
  const pods = stdout.split('\n').filter((line) => /^web-\S+ +1\/1 +Running /.test(line));
  assert.equal(pods.length, 3, stdout);
  assert.ok(pods.every((line) => !line.includes('node-1 ')));
});
