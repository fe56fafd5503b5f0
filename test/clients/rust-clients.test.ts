// A program in Rust, made with kube-rs: objects, apply, discovery, reflectors and a controller, with the server stopped
// and killed under it. It is in the folder `rust`; its crates are built once for all checkouts.

import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { answers, run } from './commands.ts';
import { RestartLever } from './restart-lever.ts';
import { ServerProcess } from './server-process.ts';

const sources = join(import.meta.dirname, 'rust');
const target = join(homedir(), '.cache/keelson-rust');
/** Nothing cached, on two busy processors: minutes. */
const buildTimeoutMs = 900_000;
const testTimeoutMs = 180_000;

suite('Rust clients', { skip: withoutRust(), timeout: buildTimeoutMs }, () => {
  let folder: string;
  let server: ServerProcess;
  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'keelson-rust-'));
      server = new ServerProcess(join(folder, 'data'));
      const env = { CARGO_TARGET_DIR: target };
      await run('cargo', ['build', '--quiet', '--locked', '--offline'], { cwd: sources, env, yielding: true });
      await server.start();
    },
    { timeout: buildTimeoutMs },
  );
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of ['typed', 'apply', 'discovery', 'subresources', 'watchers', 'controller']) {
    test(`the Rust client "${name}" works`, { timeout: testTimeoutMs }, async ({ signal }) => {
      await using lever = await RestartLever.create(server);
      const env = { KUBECONFIG: server.kubeconfigPath, RESTART_URL: lever.url, HOME: folder };
      await run(join(target, 'debug/keelson-kube-rs'), [name], { env, signal });
    });
  }
});

/** Why nothing of this can be run here, or false. */
function withoutRust(): string | false {
  if (!answers('cargo', '--version')) return 'cargo is not installed: no client in Rust is tested';
  const crates = 'the crates of test/clients/rust are not there and cannot be fetched: no client in Rust is tested';
  return answers('cargo', 'fetch', '--quiet', '--locked', `--manifest-path=${join(sources, 'Cargo.toml')}`)
    ? false
    : crates;
}
