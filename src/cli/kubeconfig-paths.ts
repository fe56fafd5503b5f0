// The kubeconfig of a command: the file that is given, or kubectl's defaults.

import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Contexts, readContexts } from '../console/contexts.ts';
import { readText } from '../server/files.ts';
import type { CommandProcess } from './command-process.ts';

/**
 * The contexts of the file of --kubeconfig, of those in KUBECONFIG, or of the default file.
 * @param given the value of --kubeconfig
 * @throws Error that says where the file was looked for
 */
export async function contextsOf(given: string | undefined, env: CommandProcess['env'] = {}): Promise<Contexts> {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const usual = join(env['HOME'] || homedir(), '.kube/config');
  const paths = given !== undefined ? [given] : named.length > 0 ? named : [usual];
  try {
    return await readContexts(paths, readText);
  } catch (error) {
    const { message, cause } = error as Error;
    if (paths[0] === usual && (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
      throw new Error(`there is no kubeconfig at ${usual}: name one with --kubeconfig or KUBECONFIG`, { cause: error });
    }
    throw new Error(`${message}; see ${given === undefined ? 'KUBECONFIG' : '--kubeconfig'}`, { cause: error });
  }
}
