// Locations of the programs needed to run Kubernetes' end-to-end tests, and the build of those built from Kubernetes'
// modules. None of them is part of the project.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { referenceFolder } from '../differential/reference.ts';

const version = 'v1.34.4';
const folder = process.env['KEELSON_E2E'] ?? join(homedir(), '.cache/keelson-e2e');

export const testProgram = join(folder, 'bin/e2e.test');
export const agnhostProgram = builtProgram('agnhost');
/** The images of a real node. */
export const imagesArchive = join(folder, 'images.tar');

/** What runs on a real node or in its images, by the package that it is built from. */
const nodePrograms: Readonly<Record<string, string>> = {
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
  'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
  nonewprivs: 'k8s.io/kubernetes/test/images/nonewprivs',
  'sample-apiserver': 'k8s.io/sample-apiserver',
  pause: './pause',
};
/** Built with the versions that its own module names. */
const dnsServer = 'github.com/coredns/coredns@v1.12.1';

/** Returns the path of one of the reference's programs. */
export function programPath(name: string): string {
  return join(referenceFolder, 'bin', name);
}

/** Returns the path of a program built here. */
export function builtProgram(name: string): string {
  return join(folder, 'bin', name);
}

/** Why the tests cannot be run here; undefined if they can. */
export function missingProgram(): string | undefined {
  const needed = ['kube-controller-manager', 'kube-scheduler', 'kubectl'].map(programPath);
  return missingOf([testProgram, agnhostProgram, ...needed]);
}

/** Why a real node cannot be started here as far as its programs go; undefined if it can. */
export function missingNodeProgram(): string | undefined {
  return missingOf([...['kubelet', 'kube-proxy'].map(builtProgram), imagesArchive]);
}

function missingOf(paths: readonly string[]): string | undefined {
  const missing = paths.find((path) => !existsSync(path));
  return missing === undefined ? undefined : `no end-to-end tests to run: ${missing} is not there`;
}

/** Builds the tests and their programs of the supported release, at low priority: ten minutes on two processors. */
export function buildTestProgram(): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  go('test', '-c', '-vet=off', ...stamped, '-o', testProgram, 'k8s.io/kubernetes/test/e2e');
  go('build', ...stamped, '-o', agnhostProgram, 'k8s.io/kubernetes/test/images/agnhost');
}

/** Builds what a real node needs besides. */
export function buildNodePrograms(): void {
  for (const [name, source] of Object.entries(nodePrograms)) go('build', ...stamped, '-o', builtProgram(name), source);
  go('install', '-p', '2', '-ldflags', '-s -w', dnsServer);
}

/** Returns the folder with the source text of Kubernetes. */
export function moduleFolder(): string {
  const list = ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes'];
  return execFileSync('go', list, { cwd: join(import.meta.dirname, 'program'), encoding: 'utf8' }).trim();
}

const stamp = 'k8s.io/component-base/version';
const stamped = [
  ...['-p', '2', '-ldflags'],
  `-s -w -X ${stamp}.gitVersion=${version} -X ${stamp}.gitMajor=1 -X ${stamp}.gitMinor=34`,
];

function go(...args: readonly string[]): void {
  execFileSync('nice', ['-n', '10', 'go', ...args], {
    cwd: join(import.meta.dirname, 'program'),
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: join(folder, 'bin') },
    stdio: 'inherit',
  });
}
