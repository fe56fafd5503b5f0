// The end of the programs of an envtest environment whose suite has ended without stopping them: it crashed, was killed by
// its time limit, or forgot to. The original programs would stay until somebody ends them.

import type { CommandProcess } from '../command-process.ts';

/** The process, for which the end of its parent is a signal to stop. */
export function endingWithParent(command: CommandProcess): CommandProcess {
  return {
    ...command,
    onStopSignal: (stop) => {
      command.onStopSignal(stop);
      command.onParentEnd?.(stop);
    },
  };
}
