// Programs in Java: fabric8's client and Kubernetes' own, with the server stopped and killed under their informers. They
// are in the folder `java`; Maven finds their jars, in its own cache when they are there.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { answers, run } from './commands.ts';
import { RestartLever } from './restart-lever.ts';
import { ServerProcess } from './server-process.ts';

const sources = join(import.meta.dirname, 'java');
const installTimeoutMs = 600_000;
const testTimeoutMs = 180_000;

const withoutJava =
  answers('javac', '--release', '17', '--version') && answers('mvn', '--version')
    ? false
    : 'no Java 17 with Maven is installed: no client in Java is tested';

suite('Java clients', { skip: withoutJava, timeout: installTimeoutMs }, () => {
  let folder: string;
  let classes: string;
  let server: ServerProcess;
  /** Why the jars are not there. */
  let missing: string | undefined;

  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'keelson-java-'));
      server = new ServerProcess(join(folder, 'data'));
      const jars = await classPath(join(folder, 'jars.txt'));
      if (jars === undefined) {
        missing = 'the jars of test/clients/java are not there and cannot be fetched: no client in Java is tested';
        return;
      }
      classes = `${folder}/classes:${jars}`;
      const files = ['Server', 'Fabric8', 'Official'].map((name) => join(sources, `${name}.java`));
      await run('javac', ['-cp', jars, '-d', `${folder}/classes`, ...files], { yielding: true });
      await server.start();
    },
    { timeout: installTimeoutMs },
  );
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [program, name] of [
    ['Fabric8', "fabric8's client"],
    ['Official', 'the official client'],
  ] as const) {
    test(`${name} for Java works`, { timeout: testTimeoutMs }, async (context) => {
      if (missing !== undefined) return context.skip(missing);
      await using lever = await RestartLever.create(server);
      const env = { KUBECONFIG: server.kubeconfigPath, RESTART_URL: lever.url };
      await run('java', ['-XX:TieredStopAtLevel=1', '-cp', classes, program], { env, signal: context.signal });
    });
  }
});

/** The jars that the programs need, as Java is told of them; undefined where they cannot be had. */
async function classPath(file: string): Promise<string | undefined> {
  const args = ['-q', '-B', `-Dmdep.outputFile=${file}`, 'dependency:build-classpath'];
  // What is cached is found much faster without asking a registry.
  for (const mode of [['--offline'], []]) {
    try {
      await run('mvn', [...mode, ...args], { cwd: sources, yielding: true });
      return await readFile(file, 'utf8');
    } catch {
      // What Maven says of it names registries, which are nobody's business.
    }
  }
  return undefined;
}
