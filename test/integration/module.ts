// The Go module of Kubernetes' integration tests: its tests, copied from the module cache, with the packages that start
// kube-apiserver replaced by those of the folder `overlay`, which start Keelson. Nothing of Kubernetes is part of the
// project.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const HERE = import.meta.dirname;

/** A release of Kubernetes, and the folder of what differs for it: go.mod, go.sum, the list of verdicts, Go files. */
export interface Release {
  readonly name: string;
  readonly version: string;
  readonly files: string;
}

/** The releases whose tests can be run; the first is the default. */
export const RELEASES: readonly Release[] = [
  { name: '1.34', version: '1.34.4', files: HERE },
  { name: '1.37', version: '1.37.2', files: join(HERE, 'releases/1.37') },
];

/** A module of Kubernetes' staging area, whose version is that of Kubernetes with another first number. */
export function stagingModule(name: string, { version }: Release): string {
  return `k8s.io/${name}@v${version.replace(/^1/, '0')}`;
}

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
 * Creates the module of a release in a folder, unless it is there already.
 * @throws Error if Go cannot download Kubernetes' modules
 */
export function prepareModule(folder: string, release: Release): void {
  const stamp = join(folder, 'made-from');
  const common = globSync('{overlay/**/*.go,module.ts}', { cwd: HERE }).map((file) => join(HERE, file));
  const own = globSync('{overlay/**/*.go,go.mod,go.sum}', { cwd: release.files }).map((file) =>
    join(release.files, file),
  );
  const made = digestOf([...new Set([...common, ...own])].toSorted());
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['go.mod', 'go.sum']) cpSync(join(release.files, name), join(folder, name));
  const kubernetes = downloaded(`k8s.io/kubernetes@v${release.version}`);
  copyGo(join(kubernetes, 'test/integration'), join(folder, 'test/integration'));
  copyGo(join(kubernetes, 'test/utils/apiserver'), join(folder, 'test/utils/apiserver'));
  const extensions = downloaded(stagingModule('apiextensions-apiserver', release));
  copyGo(join(extensions, 'test/integration'), join(folder, 'apiextensions/test/integration'));
  for (const file of globSync('{test,apiextensions}/**/*.go', { cwd: folder })) rewrite(join(folder, file));
  for (const files of new Set([HERE, release.files])) cpSync(join(files, 'overlay'), folder, { recursive: true });
  mkdirSync(join(folder, 'staging/src/k8s.io'), { recursive: true });
  symlinkSync(downloaded(stagingModule('api', release)), join(folder, 'staging/src/k8s.io/api'));
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
  for (const file of files) hash.update(relative(HERE, file)).update(readFileSync(file));
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
