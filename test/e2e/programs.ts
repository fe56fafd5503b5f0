// Locations of the programs needed to run Kubernetes' end-to-end tests, and the build of those built from Kubernetes'
// module. None of them is part of the project.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { referenceFolder } from '../differential/reference.ts';

const version = 'v1.34.4';
const folder = process.env['KEELSON_E2E'] ?? join(homedir(), '.cache/keelson-e2e');

export const testProgram = join(folder, 'bin/e2e.test');
export const agnhostProgram = join(folder, 'bin/agnhost');

/** Returns the path of one of the reference's programs. */
export function programPath(name: string): string {
  return join(referenceFolder, 'bin', name);
}

/** Why the tests cannot be run here; undefined if they can. */
export function missingProgram(): string | undefined {
  const needed = ['kube-controller-manager', 'kube-scheduler', 'kubectl'].map(programPath);
  const missing = [testProgram, agnhostProgram, ...needed].find((path) => !existsSync(path));
  return missing === undefined ? undefined : `no end-to-end tests to run: ${missing} is not there`;
}

/** Builds both programs of the supported release, at low priority: ten minutes on two processors. */
export function buildTestProgram(): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const stamp = 'k8s.io/component-base/version';
  const flags = `-s -w -X ${stamp}.gitVersion=${version} -X ${stamp}.gitMajor=1 -X ${stamp}.gitMinor=34`;
  const options = ['-p', '2', '-ldflags', flags];
  go('test', '-c', '-vet=off', ...options, '-o', testProgram, 'k8s.io/kubernetes/test/e2e');
  go('build', ...options, '-o', agnhostProgram, './agnhost');
}

function go(...args: readonly string[]): void {
  execFileSync('nice', ['-n', '10', 'go', ...args], {
    cwd: join(import.meta.dirname, 'program'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  });
}
