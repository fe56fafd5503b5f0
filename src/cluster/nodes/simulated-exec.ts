// Commands in simulated containers: no process runs, but those that only say something or succeed or fail do so.

import { isRunning } from './container-life.ts';
import type { PodRun } from './pod-run.ts';
import type { KubeletSession } from './simulation.ts';

/** What running a command in a container comes to; undefined if the container does not run. */
export function executed(run: PodRun, container: string, command: readonly string[]): KubeletSession | undefined {
  const state = run.containers.get(container);
  if (state === undefined || !isRunning(state)) return undefined;
  const [program = '', ...words] = wordsOf(command);
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === 'echo') return { output: `${words.join(' ')}\n`, exitCode: 0 };
  if (name === 'true') return { output: '', exitCode: 0 };
  if (name === 'false') return { output: '', exitCode: 1 };
  if (name === 'exit') return { output: '', exitCode: Number(words[0] ?? 0) & 255 };
  // By which `kubectl cp` copies; it would take anything else for a copied file.
  if (name === 'tar')
    return { output: '', errors: `container ${container} is simulated: it has no files\n`, exitCode: 1 };
  return { output: `container ${container} is simulated: it does not run ${program}\n`, exitCode: 0 };
}

/** A script of a shell that is a single simple command counts as that command. */
function wordsOf(command: readonly string[]): readonly string[] {
  const [program = '', flag, script = ''] = command;
  if (!/^(?:\S*\/)?(?:ba|da|a)?sh$/.test(program) || flag !== '-c') return command;
  return script.trim().split(/\s+/).map(unquoted);
}

function unquoted(word: string): string {
  const first = word[0] ?? '';
  return word.length > 1 && `'"`.includes(first) && word.endsWith(first) ? word.slice(1, -1) : word;
}
