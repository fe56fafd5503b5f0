// The recipes of docs/testing.md for Makefiles and for GitHub Actions, followed in a project that kubebuilder has just
// scaffolded: its Makefile, what controller-gen makes of it, and its suite, on the release that it asks for.

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { answers, run } from '../clients/commands.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'keelson-kubebuilder-'));
const project = join(folder, 'shop');
const timeout = 900_000;

const KUBEBUILDER = 'sigs.k8s.io/kubebuilder/v4@v4.16.0';
const tools = ['go', 'make'].every((tool) => answers(tool, tool === 'go' ? 'version' : '--version'));

suite('a project of kubebuilder', { skip: tools ? false : 'Go or make is not installed', timeout }, () => {
  let missing: string | undefined;
  const env = { GOFLAGS: '', GOWORK: 'off', PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  const inProject = { cwd: project, env, yielding: true };

  before(
    async () => {
      mkdirSync(project);
      const scaffold = (...argv: string[]) => run('go', ['run', KUBEBUILDER, ...argv], inProject);
      try {
        await scaffold('init', '--domain=example.com', '--repo=example.com/shop', '--skip-go-version-check');
        const kind = ['--group=store', '--version=v1', '--kind=Order'];
        await scaffold('create', 'api', ...kind, '--resource', '--controller', '--make=false');
      } catch (error) {
        missing = `kubebuilder cannot be had: ${(error as Error).message.split('\n').at(-2)}`;
        return;
      }
      // As npm installs it.
      mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
      symlinkSync(join(root, 'bin/setup-envtest.js'), join(project, 'node_modules/.bin/keelson-setup-envtest'));
    },
    { timeout },
  );
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('a project of kubebuilder runs its suite on Keelson by the steps for GitHub Actions', {
    timeout,
  }, async (t: TestContext) => {
    if (missing !== undefined) return t.skip(missing);
    const block = /^```yaml\n(name: test\n.*?)^```/ms.exec(page)?.[1] ?? '';
    const { jobs } = parse(block) as { jobs: { test: { steps: { run?: string }[] } } };
    const steps = jobs.test.steps.flatMap((step) => (step.run === undefined ? [] : [step.run]));
    assert.deepEqual(
      steps.map((step) => step.split(' ')[0]),
      ['npm', 'make'],
    );
    const said = await run('bash', ['-ec', steps[1] ?? ''], inProject);
    assert.match(said, /^ok\s+example\.com\/shop\/internal\/controller\s/m);
    const [assets = ''] = readdirSync(join(project, 'bin/k8s'));
    assert.match(readFileSync(join(project, 'bin/k8s', assets, 'kube-apiserver'), 'utf8'), /envtest-kube-apiserver/);
    assert.ok(!existsSync(join(project, 'bin/setup-envtest')), 'make has not installed the original');
  });

  test('a project of kubebuilder runs its suite on Keelson by the Makefile alone, once that is changed', {
    timeout,
  }, async (t: TestContext) => {
    if (missing !== undefined) return t.skip(missing);
    const makefile = join(project, 'Makefile');
    const [changed, setting] = [readFileSync(makefile, 'utf8'), 'ENVTEST ?= node_modules/.bin/keelson-setup-envtest'];
    assert.ok(page.includes(`\`${setting}\``), 'the page says so');
    const withoutRule = changed.replace(/^ENVTEST \?= .*$/m, setting).replace(/^\$\(ENVTEST\): .*\n(?:\t.*\n)+/m, '');
    assert.notEqual(withoutRule, changed);
    writeFileSync(makefile, withoutRule);
    assert.match(await run('make', ['test'], inProject), /^ok\s+example\.com\/shop\/internal\/controller\s/m);
  });
});
