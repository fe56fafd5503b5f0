// Kubeconfig files of a command: those given, or kubectl's defaults.

import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** @param given the value of --kubeconfig */
export function kubeconfigPaths(given: string | undefined): string[] {
  if (given !== undefined) return [given];
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(homedir(), '.kube/config')];
}
