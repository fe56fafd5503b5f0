// Errors of the file system in the data folder, with what to do about them.

import { resolve, sep } from 'node:path';
import { systemFault } from './files.ts';
import { InvalidOptionsError, type ServerOptions } from './options.ts';

/** The error to report for one of a start; all others as they are. */
export function dataFolderError(error: unknown, { dataDir }: ServerOptions): unknown {
  if (!(error instanceof Error)) return error;
  const { path, code, syscall } = error as NodeJS.ErrnoException;
  const folder = resolve(dataDir);
  if (code === undefined || path === undefined) return error;
  const [place, below] = [`${resolve(path)}${sep}`, `${folder}${sep}`];
  // What is made first may be a folder above it.
  if (!place.startsWith(below) && !(syscall === 'mkdir' && below.startsWith(place))) return error;
  return new InvalidOptionsError(
    `cannot use the data folder ${dataDir}: ${systemFault(error)}; make it a folder in which the server may create ` +
      'files, or choose another with --data-dir',
    { cause: error },
  );
}
