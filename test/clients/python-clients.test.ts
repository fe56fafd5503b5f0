// Programs in Python: the official client, and an operator made with kopf that the server restarts under. They are in
// the folder `python`; their packages come into an environment of their own.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { until } from '../until.ts';
import { answers, run, start } from './commands.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from './kubectl.ts';
import { ServerProcess } from './server-process.ts';

const sources = join(import.meta.dirname, 'python');
const installTimeoutMs = 600_000;
const testTimeoutMs = 180_000;

const withoutPython = answers('python3', '-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))')
  ? false
  : 'no Python 3.10 with venv is installed: no client in Python is tested';

suite('Python clients', { skip: withoutPython, timeout: installTimeoutMs }, () => {
  let folder: string;
  let python: string;
  let server: ServerProcess;
  /** Why the packages are not there. */
  let missing: string | undefined;

  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'keelson-python-'));
      python = join(folder, 'environment/bin/python');
      missing = await install(join(folder, 'environment'));
      server = new ServerProcess(join(folder, 'data'));
      await server.start();
    },
    { timeout: installTimeoutMs },
  );
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('Python clients include the official client', { timeout: testTimeoutMs }, async (context) => {
    if (missing !== undefined) return context.skip(missing);
    await run(python, [join(sources, 'official.py'), server.kubeconfigPath], { signal: context.signal });
  });

  test('Python clients include an operator based on kopf', { timeout: testTimeoutMs }, async (context) => {
    if (missing !== undefined) return context.skip(missing);
    if (withoutKubectl) return context.skip(withoutKubectl);
    await operator(context, python, server);
  });
});

/** Makes the environment. What is returned is why the packages cannot be had. */
async function install(environment: string): Promise<string | undefined> {
  await run('python3', ['-m', 'venv', environment], { yielding: true });
  const flags = ['--quiet', '--disable-pip-version-check', '--no-compile', '--only-binary=:all:'];
  try {
    await run(join(environment, 'bin/pip'), ['install', ...flags, '-r', join(sources, 'requirements.txt')], {
      yielding: true,
    });
    return undefined;
  } catch {
    // What pip says of it names registries, which are nobody's business.
    return 'the packages of test/clients/python are not there and cannot be fetched: no client in Python is tested';
  }
}

async function operator({ signal }: TestContext, python: string, server: ServerProcess): Promise<void> {
  await using kubectl = await Kubectl.create(oldestAndNewest().at(-1)!.binary, await server.kubeconfig());
  const ofSnake = (name: string, path: string) => kubectl.output('get', 'snake', name, `--output=jsonpath={${path}}`);
  const settled = (name: string, size: number) =>
    until(`${name} is seen to have size ${size}`, async () => (await ofSnake(name, '.status.size')) === `${size}`);
  await kubectl.run(['apply', '--filename=-'], { input: definition });
  await kubectl.run(['wait', '--for=condition=Established', 'crd/snakes.python.example.com', '--timeout=30s']);

  const flags = ['--standalone', '--namespace=default', join(sources, 'snake_operator.py')];
  using kopf = start(python, ['-m', 'kopf', 'run', ...flags], {
    env: { KUBECONFIG: server.kubeconfigPath, PYTHONDONTWRITEBYTECODE: '1' },
    signal,
  });
  try {
    await kubectl.run(['apply', '--filename=-'], { input: snake('ka', 2) });
    await settled('ka', 2);
    assert.equal(await ofSnake('ka', '.metadata.finalizers[0]'), 'python.example.com/shed');
    const owner = '--output=jsonpath={.data.length} {.metadata.ownerReferences[0].name}';
    assert.equal(await kubectl.output('get', 'configmap', 'ka', owner), '2 ka');

    await server.stop();
    await server.start();
    await kubectl.run(['apply', '--filename=-'], { input: snake('ka', 3) + snake('nag', 9) });
    await settled('ka', 3);
    await settled('nag', 9);

    await kubectl.run(['delete', 'snake', 'ka', '--timeout=60s']);
    await kubectl.run(['get', 'configmap', 'ka-shed']);
    await kubectl.run(['wait', '--for=delete', 'configmap/ka', '--timeout=60s']);
  } catch (error) {
    throw new Error(`the operator said:\n${kopf.said}`, { cause: error });
  }
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: snakes.python.example.com }
spec:
  group: python.example.com
  scope: Namespaced
  names: { plural: snakes, singular: snake, kind: Snake }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: { type: integer, default: 3 } } }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

function snake(name: string, size: number): string {
  return `---\napiVersion: python.example.com/v1\nkind: Snake\nmetadata: { name: ${name} }\nspec: { size: ${size} }\n`;
}
