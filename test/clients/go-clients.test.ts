// Programs in Go, on the libraries that most of Kubernetes' own programs are made of: client-go, controller-runtime (its
// envtest included) and Helm. Their tests are in the folder `go`; here they are built, and each is run against a server of
// its package, of two releases. The Gateway API's own tests of its validation rules are built from its module.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
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

/** The channels of the Gateway API's definitions; the tests of one that is not the standard need a build tag. */
const GATEWAY_CHANNELS = ['standard', 'experimental'] as const;
const GATEWAY_MODULE = 'sigs.k8s.io/gateway-api';

/** What some tests are run with once more. */
const variants: readonly { readonly of: RegExp; readonly env: Readonly<Record<string, string>> }[] = [
  { of: /^TestInformers/, env: { KUBE_FEATURE_WatchListClient: 'true' } },
];

/** Kubernetes' libraries of two releases, each with a server of its release. */
const RELEASES: readonly Release[] = [
  { release: '1.34', packages: ['clientgo', 'operator', 'helm', 'bootstrap'], hasGateways: true, options: [] },
  {
    release: '1.37',
    packages: ['clientgo', 'operator', 'bootstrap'],
    hasGateways: false,
    // Helm and the Gateway API have no release on these libraries.
    options: ['-modfile=v0.37.mod'],
  },
];

interface Release {
  readonly release: string;
  readonly packages: readonly string[];
  readonly hasGateways: boolean;
  /** Of the Go command. */
  readonly options: readonly string[];
}

/** What the servers of some packages are started with. */
const serverFlags: Readonly<Record<string, readonly string[]>> = {
  bootstrap: ['--enable-bootstrap-token-auth', '--enable-admission-plugins=NodeRestriction'],
};

for (const each of RELEASES) {
  const { release, packages, hasGateways } = each;
  suite(`Go clients of Kubernetes ${release}`, { skip: withoutGo(each), timeout: buildTimeoutMs }, () => {
    let folder: string;
    before(
      async () => {
        folder = await mkdtemp(join(tmpdir(), 'keelson-go-'));
        await build(folder, each);
      },
      { timeout: buildTimeoutMs },
    );
    after(() => rm(folder, { recursive: true, force: true }));

    for (const name of packages) {
      test(`the Go client ${name} of Kubernetes ${release} works`, { timeout: buildTimeoutMs }, (context) =>
        runPackage(context, { folder, name, release }),
      );
    }

    for (const channel of hasGateways ? GATEWAY_CHANNELS : []) {
      test(
        `the definitions of the Gateway API pass its tests of the channel ${channel} on ${release}`,
        { timeout: buildTimeoutMs },
        (context) => runGateways(context, folder, channel),
      );
    }

    test(`envtest of Kubernetes ${release} works`, { timeout: buildTimeoutMs }, (context) =>
      runEnvironments(context, folder, release),
    );
  });
}

/** Why nothing of this can be run here, or false. */
function withoutGo({ options, packages }: Release): string | false {
  if (!answers('go', 'version')) return 'Go is not installed: no client in Go is tested';
  const modules = 'the modules of test/clients/go are not there and cannot be fetched: no client in Go is tested';
  const list = ['list', ...options, '-deps', '-test', ...foldersOf(packages)];
  return answers('go', '-C', sources, ...list) ? false : modules;
}

function foldersOf(packages: readonly string[]): string[] {
  return [...packages, 'envtest'].map((name) => `./${name}`);
}

/**
 * Builds the tests of all packages. Most of a build that finds nothing cached goes into code that hardly runs:
 * without optimising it, and without what debuggers need, that takes two thirds of the time.
 */
async function build(folder: string, { options: ofRelease, packages, hasGateways }: Release): Promise<void> {
  const fast = ['-vet=off', '-gcflags=all=-dwarf=false -N -l', '-ldflags=-s -w'];
  const options = { cwd: sources, env: { CGO_ENABLED: '0' }, yielding: true };
  await run('go', ['test', '-c', ...ofRelease, ...fast, '-o', `${folder}/`, ...foldersOf(packages)], options);
  for (const channel of hasGateways ? GATEWAY_CHANNELS : []) {
    const binary = join(folder, `gateway-${channel}.test`);
    await run('go', ['test', '-c', ...fast, '-tags', channel, '-o', binary, `${GATEWAY_MODULE}/pkg/test/cel`], options);
  }
}

/**
 * The Gateway API's tests of its definitions: objects that their rules, expressions most of them, take or refuse. Its
 * client sends five requests a second, so the tests run beside each other.
 */
async function runGateways(context: TestContext, folder: string, channel: string): Promise<void> {
  const module = (await run('go', ['list', '-m', '-f', '{{.Dir}}', GATEWAY_MODULE], { cwd: sources })).trim();
  const definitions = join(module, 'config/crd', channel);
  const files = (await readdir(definitions)).filter((name) => name !== 'kustomization.yaml');
  using server = await testServer(files.map((name) => join(definitions, name)));
  const env = { KUBECONFIG: server.kubeconfig, CRD_CHANNEL: channel, HOME: folder };
  const binary = join(folder, `gateway-${channel}.test`);
  const tests = (await run(binary, ['-test.list', '.'], { env })).trim().split('\n');
  const all = tests.map((each) =>
    context.test(each, { timeout: testTimeoutMs }, async ({ signal }) => {
      await run(binary, ['-test.run', `^${each}$`], { env, signal });
    }),
  );
  await Promise.all(all);
}

/** A server in memory that begins with what these files hold. */
async function testServer(files: readonly string[]): Promise<Disposable & { readonly kubeconfig: string }> {
  const load = files.flatMap((file) => ['--load', file]);
  const child = spawn(process.execPath, [program, 'testserver', ...load], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
  return { kubeconfig, [Symbol.dispose]: () => child.stdin.end() };
}

/** A suite that starts its servers itself, by the programs that `keelson envtest-assets` makes. */
async function runEnvironments(context: TestContext, folder: string, release: string): Promise<void> {
  const assets = join(folder, 'assets');
  await run(process.execPath, [program, 'envtest-assets', `--kubernetes-version=${release}`, assets]);
  const binary = join(folder, 'envtest.test');
  const env = { KUBEBUILDER_ASSETS: assets, HOME: folder };
  for (const each of (await run(binary, ['-test.list', '.'])).trim().split('\n')) {
    await context.test(each, { timeout: testTimeoutMs }, async ({ signal }) => {
      await run(binary, ['-test.run', `^${each}$`], { env, signal });
    });
  }
}

async function runPackage(
  context: TestContext,
  { folder, name, release }: { readonly folder: string; readonly name: string; readonly release: string },
): Promise<void> {
  const binary = join(folder, `${name}.test`);
  const dataDir = join(folder, `${name}-data`);
  await using server = new ServerProcess(dataDir, {
    flags: [`--kubernetes-version=${release}`, ...(serverFlags[name] ?? [])],
  });
  await server.start();
  await using lever = await RestartLever.create(server);
  const places = { KUBECONFIG: server.kubeconfigPath, PKI: join(dataDir, 'pki') };
  const env = { ...places, RESTART_URL: lever.url, HOME: folder, RELEASE: release };
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
