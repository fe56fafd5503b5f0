// cert-manager, unmodified: its controllers, CA injector and webhook are built from its module, and issue, renew and
// refuse certificates, once by updates and once by server-side apply.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { answers, run } from './commands.ts';
import { ServerProcess } from './server-process.ts';

const sources = join(import.meta.dirname, 'certmanager');
const MODULE = 'github.com/cert-manager/cert-manager';
/** Nothing cached, on two busy processors: minutes. */
const buildTimeoutMs = 900_000;
const testTimeoutMs = 180_000;

suite('cert-manager as a client', { skip: withoutGo(), timeout: buildTimeoutMs }, () => {
  let folder: string;
  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'keelson-cert-manager-'));
      const fast = ['-vet=off', '-gcflags=all=-dwarf=false -N -l', '-ldflags=-s -w'];
      const options = { cwd: sources, env: { CGO_ENABLED: '0' }, yielding: true };
      await run('go', ['test', '-c', ...fast, '-o', join(folder, 'tests'), '.'], options);
    },
    { timeout: buildTimeoutMs },
  );
  after(() => rm(folder, { recursive: true, force: true }));

  for (const applies of [false, true]) {
    const title = applies ? 'applying' : 'updating';
    test(`cert-manager issues certificates while ${title} objects`, { timeout: testTimeoutMs }, async ({ signal }) => {
      const module = (await run('go', ['list', '-m', '-f', '{{.Dir}}', MODULE], { cwd: sources, signal })).trim();
      await using server = new ServerProcess(join(folder, title));
      await server.start();
      const gates = `ServerSideApply=${applies}`;
      const env = { KUBECONFIG: server.kubeconfigPath, CERT_MANAGER: module, CERT_MANAGER_GATES: gates, HOME: folder };
      await run(join(folder, 'tests'), [], { cwd: sources, env, signal });
    });
  }
});

/** Why nothing of this can be run here, or false. */
function withoutGo(): string | false {
  if (!answers('go', 'version')) return 'Go is not installed: cert-manager is not tested';
  const modules =
    'the modules of test/clients/certmanager are not there and cannot be fetched: cert-manager is not tested';
  return answers('go', '-C', sources, 'list', '-deps', '-test', './...') ? false : modules;
}
