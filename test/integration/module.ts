// The Go module of Kubernetes' integration tests: its tests, copied from the module cache, with the packages that start
// kube-apiserver replaced by those of the folder `overlay`, which start Keelson. Nothing of Kubernetes is part of the
// project.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const HERE = import.meta.dirname;
const MODULES = {
  kubernetes: 'k8s.io/kubernetes@v1.34.4',
  extensions: 'k8s.io/apiextensions-apiserver@v0.34.4',
  api: 'k8s.io/api@v0.34.4',
};

/** Import paths of Kubernetes, and those of the copies. */
const REWRITTEN: readonly (readonly [from: string, to: string])[] = [
  ['"k8s.io/kubernetes/cmd/kube-apiserver/app/testing"', '"keelson.test/cmd/kube-apiserver/app/testing"'],
  ['"k8s.io/kubernetes/cmd/kube-apiserver/app"', '"keelson.test/cmd/kube-apiserver/app"'],
  ['"k8s.io/component-base/featuregate/testing"', '"keelson.test/featuregate/testing"'],
  ['"k8s.io/apiserver/pkg/authorization/metrics"', '"keelson.test/metrics/authorization"'],
  ['"k8s.io/apiserver/pkg/authorization/cel"', '"keelson.test/metrics/authorizationcel"'],
  ['"k8s.io/apiserver/pkg/server/options/authorizationconfig/metrics"', '"keelson.test/metrics/authorizationconfig"'],
  ['"k8s.io/apiserver/plugin/pkg/authorizer/webhook/metrics"', '"keelson.test/metrics/authorizationwebhook"'],
  ['"k8s.io/kubernetes/test/integration', '"keelson.test/test/integration'],
  ['"k8s.io/kubernetes/test/utils/apiserver"', '"keelson.test/test/utils/apiserver"'],
  ['"k8s.io/apiextensions-apiserver/test/integration', '"keelson.test/apiextensions/test/integration'],
  ['"k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"', '"keelson.test/apiextensions/testing"'],
];

/** Packages that start servers; they keep certificates in a folder beside their source. */
const STARTING = ['apiextensions/testing', 'cmd/kube-apiserver/app/testing', 'test/integration/framework'];

/** Package clauses that forbid other import paths. */
const IMPORT_COMMENT = /^(package \w+) \/\/ import .*$/gm;

/**
 * Creates the module in a folder, unless it is there already.
 * @throws Error if Go cannot download Kubernetes' modules
 */
export function prepareModule(folder: string): void {
  const stamp = join(folder, 'made-from');
  const made = digestOf(globSync('{overlay/**/*.go,go.mod,go.sum,module.ts}', { cwd: HERE }).toSorted());
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['go.mod', 'go.sum']) cpSync(join(HERE, name), join(folder, name));
  const kubernetes = downloaded(MODULES.kubernetes);
  copyGo(join(kubernetes, 'test/integration'), join(folder, 'test/integration'));
  copyGo(join(kubernetes, 'test/utils/apiserver'), join(folder, 'test/utils/apiserver'));
  copyGo(join(downloaded(MODULES.extensions), 'test/integration'), join(folder, 'apiextensions/test/integration'));
  for (const file of globSync('{test,apiextensions}/**/*.go', { cwd: folder })) rewrite(join(folder, file));
  cpSync(join(HERE, 'overlay'), folder, { recursive: true });
  mkdirSync(join(folder, 'staging/src/k8s.io'), { recursive: true });
  symlinkSync(downloaded(MODULES.api), join(folder, 'staging/src/k8s.io/api'));
  for (const starting of STARTING) mkdirSync(join(folder, starting, 'testdata'), { recursive: true });
  writeFileSync(stamp, made);
}

/** The packages with tests, named by their folders in the module, sorted. */
export function testPackages(folder: string): string[] {
  const files = globSync('{test,apiextensions/test}/integration/**/*_test.go', { cwd: folder });
  return [...new Set(files.map((file) => relative('.', join(file, '..'))))].toSorted();
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(HERE, file)));
  return hash.digest('hex');
}

function downloaded(module: string): string {
  const text = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', cwd: HERE });
  return (JSON.parse(text) as { Dir: string }).Dir;
}

/** Files of the module cache cannot be written to; copies can. */
function copyGo(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  execFileSync('chmod', ['-R', 'u+w', to]);
  // Modules do not keep that scripts can be executed.
  for (const script of globSync('**/*.sh', { cwd: to })) {
    // One of them is there to fail.
    if (!script.includes('not-executable')) execFileSync('chmod', ['+x', join(to, script)]);
  }
}

function rewrite(file: string): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of REWRITTEN) text = text.replaceAll(from, to);
  writeFileSync(file, text.replace(IMPORT_COMMENT, '$1'));
}
