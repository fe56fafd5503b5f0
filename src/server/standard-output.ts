// Lines to the standard output of the process.

import type { LineOutput } from '../audit/log-writer.ts';

export const standardOutput: LineOutput = {
  write: (lines) =>
    new Promise((resolve, reject) => {
      process.stdout.write(lines.join(''), (error) => (error == null ? resolve() : reject(error)));
    }),
  close: async () => {},
};
