// Programs in Go, on the libraries that most of Kubernetes' own programs are made of: client-go, controller-runtime (its
// envtest included) and Helm. Their tests are in the folder `go`; here they are built, and each is run against a server of its package.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { answers, run } from './commands.ts';
import { RestartLever } from './restart-lever.ts';
import { ServerProcess } from './server-process.ts';

const sources = join(import.meta.dirname, 'go');
const program = join(import.meta.dirname, '../../bin/keelson.js');

/** Nothing cached, on two busy processors: minutes. */
const buildTimeoutMs = 900_000;
const testTimeoutMs = 180_000;

/** What some tests are run with once more. */
const variants: readonly { readonly of: RegExp; readonly env: Readonly<Record<string, string>> }[] = [
  { of: /^TestInformers/, env: { KUBE_FEATURE_WatchListClient: 'true' } },
];

/** What the servers of some packages are started with. */
const serverFlags: Readonly<Record<string, readonly string[]>> = {
  bootstrap: ['--enable-bootstrap-token-auth', '--enable-admission-plugins=NodeRestriction'],
};

suite('clients in Go', { skip: withoutGo(), timeout: buildTimeoutMs }, () => {
  let folder: string;
  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'keelson-go-'));
      await build(folder);
    },
    { timeout: buildTimeoutMs },
  );
  after(() => rm(folder, { recursive: true, force: true }));

  for (const name of ['clientgo', 'operator', 'helm', 'bootstrap']) {
    test(name, { timeout: buildTimeoutMs }, (context) => runPackage(context, folder, name));
  }

  test('envtest', { timeout: buildTimeoutMs }, (context) => runEnvironments(context, folder));
});

/** Why nothing of this can be run here, or false. */
function withoutGo(): string | false {
  if (!answers('go', 'version')) return 'Go is not installed: no client in Go is tested';
  const modules = 'the modules of test/clients/go are not there and cannot be fetched: no client in Go is tested';
  return answers('go', '-C', sources, 'list', '-deps', '-test', './...') ? false : modules;
}

/**
 * Builds the tests of all packages. Most of a build that finds nothing cached goes into code that hardly runs:
 * without optimising it, and without what debuggers need, that takes two thirds of the time.
 */
async function build(folder: string): Promise<void> {
  const fast = ['-vet=off', '-gcflags=all=-dwarf=false -N -l', '-ldflags=-s -w'];
  await run('go', ['test', '-c', ...fast, '-o', `${folder}/`, './...'], {
    cwd: sources,
    env: { CGO_ENABLED: '0' },
    yielding: true,
  });
}

/** A suite that starts its servers itself, by the programs that `keelson envtest-assets` makes. */
async function runEnvironments(context: TestContext, folder: string): Promise<void> {
  const assets = join(folder, 'assets');
  await run(process.execPath, [program, 'envtest-assets', assets]);
  const binary = join(folder, 'envtest.test');
  const env = { KUBEBUILDER_ASSETS: assets, HOME: folder };
  for (const each of (await run(binary, ['-test.list', '.'])).trim().split('\n')) {
    await context.test(each, { timeout: testTimeoutMs }, async ({ signal }) => {
      await run(binary, ['-test.run', `^${each}$`], { env, signal });
    });
  }
}

async function runPackage(context: TestContext, folder: string, name: string): Promise<void> {
  const binary = join(folder, `${name}.test`);
  const dataDir = join(folder, `${name}-data`);
  await using server = new ServerProcess(dataDir, { flags: serverFlags[name] ?? [] });
  await server.start();
  await using lever = await RestartLever.create(server);
  const places = { KUBECONFIG: server.kubeconfigPath, PKI: join(dataDir, 'pki') };
  const env = { ...places, RESTART_URL: lever.url, HOME: folder };
  const cwd = join(sources, name);
  const tests = (await run(binary, ['-test.list', '.'], { cwd })).trim().split('\n');
  for (const each of tests) {
    for (const variant of [{}, ...variants.filter(({ of }) => of.test(each)).map((one) => one.env)]) {
      const title = [each, ...Object.keys(variant)].join(' with ');
      await context.test(title, { timeout: testTimeoutMs }, async ({ signal }) => {
        await run(binary, ['-test.run', `^${each}$`], { cwd, env: { ...env, ...variant }, signal });
      });
    }
  }
}
