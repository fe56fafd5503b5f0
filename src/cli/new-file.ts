// Files that commands write for people: new ones, since no command overwrites what is there.

import { systemFault } from '../server/files.ts';

/** The error to report for one of the file system when `file` was to be made; others as they are. */
export function newFileError(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new Error(`${file} already exists: choose another name, or remove it`, { cause: error });
  const why =
    code === undefined ? undefined : /: ([^:]+)$/.exec(systemFault({ code, syscall: 'open', path: file }))?.[1];
  if (why === undefined) return error;
  const advice = code === 'ENOENT' ? 'make its folder first, or choose another' : 'choose another place';
  return new Error(`cannot write ${file}: ${why}; ${advice}`, { cause: error });
}
