// Every command of the pages: each is run here, as it stands, or by the test that is named beside it, or there is a reason
// why none runs it. A command that a page gains fails this test until somebody has decided which.

import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answers, type RunningCommand, run, start } from '../clients/commands.ts';
import { until } from '../until.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'keelson-pages-'));
const at = (path: string) => join(folder, path);

/** Pages whose commands, all of them, have a test of their own. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  'docs/users.md': 'test/recipes/users-page.test.ts',
  'docs/backup.md': 'test/recipes/backup-page.test.ts',
  'docs/from-one-machine-to-many.md': 'test/etcd/from-one-machine-to-many.test.ts',
};

type Handling =
  /** It ends, and its standard output matches. */
  | { readonly says: RegExp }
  /** It runs until it is stopped, and says that first. */
  | { readonly serves: RegExp }
  /** The test that runs it. */
  | { readonly elsewhere: string }
  | { readonly not: string };

const LISTENS = /Keelson listens on https:/;
const CONSOLE = /http:\/\/127\.0\.0\.1:\d+\/open\?key=/;
const REGISTRY = { not: 'it needs the registry, and changes the machine' };
const CI = { not: 'CI is made of it' };
const MAKEFILE = { elsewhere: 'src/cli/envtest/setup-envtest.test.ts' };
const GO_SUITE = { elsewhere: 'test/clients/go-clients.test.ts' };
const ASSETS = /^export KUBEBUILDER_ASSETS=/;

/** By page and command, without the remark behind it. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Handling>>>> = {
  'README.md': {
    'npm install --global ./keelson-0.1.0.tgz': REGISTRY,
    'npm ci && npm link': REGISTRY,
    'keelson serve': { serves: LISTENS },
    'export KUBECONFIG=$PWD/keelson-data/admin.kubeconfig': { says: /^$/ },
    'kubectl create namespace demo': { says: /created/ },
    'kubectl --namespace demo create configmap greeting --from-literal=text=hello': { says: /created/ },
    'kubectl --namespace demo get configmaps --watch': { serves: /greeting/ },
    'keelson serve --store=memory --data-dir=./in-memory --secure-port=8443': { serves: LISTENS },
    'keelson run --load config/crd -- ./smoke-test.sh': { says: /^the test ran\n$/ },
    'keelson envtest-assets ./assets': { says: ASSETS },
    'keelson setup-envtest use 1.37.x -p path': { says: /k8s\/1\.37\.\d+-/ },
    "keelson cel --schema crontab-definition.yaml --object crontab.yaml 'self.spec.replicas <= 10'": {
      says: /^value {5}true$/m,
    },
    'keelson migrate --check deploy/': { says: /^$/ },
    'keelson migrate deploy/ app.yaml': { says: /^$/ },
    'keelson migrate --server': { says: /nothing uses an old API version/ },
  },
  'CONTRIBUTING.md': { 'npm ci': CI, 'npm run check': CI, 'npm test': CI, 'npm run toolchains': CI },
  'docs/audit.md': {
    'keelson serve --audit-policy-file=policy.yaml --audit-log-path=/var/log/keelson/audit.log': { serves: LISTENS },
  },
  'docs/cluster.md': {
    'keelson serve --nodes=3': { serves: LISTENS },
    'keelson run --nodes=3 -- make test': { says: /the suite ran/ },
    'keelson envtest-assets DIR --nodes=3': { says: ASSETS },
  },
  'docs/console.md': {
    'keelson console [--kubeconfig FILE] [--context NAME] [--port PORT] [--read-only]': { serves: CONSOLE },
    'keelson serve --console': { serves: CONSOLE },
    'keelson console --demo': { serves: CONSOLE },
  },
  'docs/deploy.md': {
    'cp docs/deploy/keelson.service /etc/systemd/system/ && systemctl enable --now keelson': {
      elsewhere: 'test/deploy.test.ts',
    },
    'npm run build:executable': { elsewhere: 'test/executable.test.ts' },
    './keelson envtest-assets ./assets': { elsewhere: 'test/executable.test.ts' },
    'KUBEBUILDER_ASSETS=$PWD/assets go test ./...': GO_SUITE,
  },
  'docs/how-to/release.md': {
    'npm run release -- 0.2.0 --dry-run': { elsewhere: 'scripts/release.test.ts' },
    'npm run release -- 0.2.0': { elsewhere: 'scripts/release.test.ts' },
    'git push origin main v0.2.0': { not: 'it publishes' },
    'npm pack': { elsewhere: 'test/package.test.ts' },
    'npm install --save-dev ./keelson-0.1.0.tgz': { elsewhere: 'test/package.test.ts' },
  },
  'docs/simulated-nodes.md': {
    'keelson serve --nodes=3 --stages=stages/ --stages=chaos.yaml': { serves: LISTENS },
  },
  'docs/teaching.md': {
    'keelson console --demo': { serves: CONSOLE },
    'keelson serve --nodes=3 --console': { serves: CONSOLE },
  },
  'docs/testing.md': {
    'npx keelson envtest-assets ./bin/keelson-assets': { says: ASSETS },
    'KUBEBUILDER_ASSETS=$PWD/bin/keelson-assets go test ./...': GO_SUITE,
    'npx keelson setup-envtest use 1.37.x --bin-dir bin -p path': { says: /bin\/k8s\/1\.37\.\d+-/ },
    'make test ENVTEST=node_modules/.bin/keelson-setup-envtest -o node_modules/.bin/keelson-setup-envtest': MAKEFILE,
    'npx keelson run --load config/crd/bases --load test/objects.yaml -- ./smoke-test.sh': { says: /^the test ran\n$/ },
    'curl --header "Authorization: Bearer $KEELSON_TEST_TOKEN" --request POST $KEELSON_TEST_API/snapshots': {
      elsewhere: 'test/recipes/recipes.test.ts',
    },
  },
};

/** What begins a line of a block that is a command, as opposed to output or a configuration file. */
const COMMAND =
  /^(?:[A-Z_]+=\S+ )?(?:\.\/)?(?:keelson|npx|npm|kubectl|curl|make|go|git|cp|export|openssl|docker|podman)\b/;

/** The commands in a page's blocks, without remarks. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(
    /^```(\w*)\n(.*?)^```$/gms,
    (_, language: string, block: string) =>
      ['', 'sh', 'bash'].includes(language) ? block.replaceAll(/^(?=\S)/gm, '    ') : '',
  );
  const lines = text.split('\n').filter((line) => /^ {4}\S/.test(line));
  return lines.map((line) => line.trim().replace(/ +# .*$/, '')).filter((line) => COMMAND.test(line));
}

const skip = answers('kubectl', 'version', '--client') ? false : 'kubectl is not installed';

describe('the commands of the pages', { skip }, () => {
  let env: Readonly<Record<string, string>>;
  before(() => {
    const program = `'${process.execPath}' '${join(root, 'bin/keelson.js')}'`;
    const own = [`if [ "$1" = serve ]; then exec ${program} "$@" --secure-port=0; fi`, `exec ${program} "$@"`];
    write('tools/keelson', ['#!/bin/sh', ...own], 0o755);
    write('tools/npx', ['#!/bin/sh', 'exec "$@"'], 0o755);
    write('smoke-test.sh', ['#!/bin/sh', 'kubectl get namespaces >/dev/null && echo the test ran'], 0o755);
    write('Makefile', [
      '.PHONY: test',
      'test:',
      '\t@kubectl get nodes --no-headers | grep -c Ready && echo the suite ran',
    ]);
    const configMap = ['apiVersion: v1', 'kind: ConfigMap', 'metadata: { name: a }'];
    for (const path of ['test/objects.yaml', 'deploy/a.yaml', 'app.yaml']) write(path, configMap);
    write('policy.yaml', ['apiVersion: audit.k8s.io/v1', 'kind: Policy', 'rules: [{ level: Metadata }]']);
    const stage = (name: string) => [
      'apiVersion: kwok.x-k8s.io/v1alpha1',
      'kind: Stage',
      `metadata: { name: ${name} }`,
      'spec: { resourceRef: { apiGroup: example.com/v1, kind: Order }, next: { delete: true } }',
    ];
    write('stages/order.yaml', stage('order'));
    write('chaos.yaml', stage('chaos'));
    write('crontab.yaml', ['spec: { replicas: 3 }']);
    write('crontab-definition.yaml', DEFINITION);
    for (const path of ['config/crd/crontab.yaml', 'config/crd/bases/crontab.yaml']) write(path, DEFINITION);
    const path = `${at('tools')}${delimiter}${process.env['PATH']}`;
    env = { PATH: path, HOME: folder, KUBECONFIG: at('keelson-data/admin.kubeconfig') };
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('the commands of the pages are known to a test, and the tests exist', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/{*,how-to/*}.md', { cwd: root }).sort()];
    const found = pages.filter((page) => OTHER_PAGES[page] === undefined).map((page) => [page, commandsOf(page)]);
    const known = Object.entries(COMMANDS).map(([page, commands]) => [page, Object.keys(commands)]);
    assert.deepEqual(
      Object.fromEntries(found.filter(([, commands]) => commands!.length > 0)),
      Object.fromEntries(known),
    );
    const named = Object.values(COMMANDS).flatMap((each) => Object.values(each));
    const files = named.flatMap((each) => ('elsewhere' in each ? [each.elsewhere] : []));
    for (const file of [...files, ...Object.values(OTHER_PAGES)]) assert.ok(existsSync(join(root, file)), file);
  });

  for (const [page, commands] of Object.entries(COMMANDS)) {
    test(`the commands of ${page} do what the page says`, { timeout: 180_000 }, async () => {
      // Those of the first server go on with it, as a reader does in another terminal.
      let server: RunningCommand | undefined;
      for (const [command, handling] of Object.entries(commands)) {
        const line = command.replaceAll('/var/log/keelson', folder).replaceAll(/ \[[^\]]*\]/g, '');
        const options = { cwd: folder, env };
        if ('says' in handling) {
          assert.match(await run('bash', ['-ec', line], options), handling.says, command);
        } else if ('serves' in handling) {
          const running = start('bash', ['-ec', `exec ${line}`], options);
          await until(command, () => handling.serves.test(running.stdout));
          if (command === 'keelson serve') server = running;
          else await running.stop();
        }
      }
      await server?.stop();
    });
  }
});

const DEFINITION = [
  'apiVersion: apiextensions.k8s.io/v1',
  'kind: CustomResourceDefinition',
  'metadata: { name: crontabs.stable.example.com }',
  'spec:',
  '  group: stable.example.com',
  '  scope: Namespaced',
  '  names: { plural: crontabs, kind: CronTab }',
  '  versions:',
  '  - name: v1',
  '    served: true',
  '    storage: true',
  '    schema:',
  '      openAPIV3Schema:',
  '        type: object',
  '        properties: { spec: { type: object, properties: { replicas: { type: integer } } } }',
];

function write(path: string, lines: readonly string[], mode = 0o644): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(at(path), `${lines.join('\n')}\n`, { mode });
}
