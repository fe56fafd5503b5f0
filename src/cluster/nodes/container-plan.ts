// What a simulated container does: how long it runs and how it ends, by its script, or else as its command suggests.

import { lookup } from '../../base/lookup.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { controllerOf } from '../owners.ts';
import type { PodContainer } from './container-kinds.ts';
import type { ContainerScript } from './pod-script.ts';

/** How a container ends. */
export interface Ending {
  readonly exitCode: number;
  /** As the runtime reports it: `Completed`, `Error`, `OOMKilled`. */
  readonly reason: string;
}

export interface Plan {
  /** How long it runs; undefined for ever. */
  readonly runMs: number | undefined;
  readonly ending: Ending;
}

const OOM_KILLED: Ending = { exitCode: 137, reason: 'OOMKilled' };
const UNITS = lookup<number>({ '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 });
const FOR_EVER = Number.POSITIVE_INFINITY;

export function endingWith(exitCode: number): Ending {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' };
}

export function containerPlan(pod: Pod, container: PodContainer, script: ContainerScript | undefined): Plan {
  const { oomKilledAfterMs, crashAfterMs, runForMs, exitCode } = script ?? {};
  if (oomKilledAfterMs !== undefined) return { runMs: oomKilledAfterMs, ending: OOM_KILLED };
  if (crashAfterMs !== undefined) return { runMs: crashAfterMs, ending: endingWith(exitCode || 1) };
  if (runForMs !== undefined) return { runMs: runForMs, ending: endingWith(exitCode ?? 0) };
  if (exitCode !== undefined) return { runMs: commandOf(container).ms ?? 0, ending: endingWith(exitCode) };
  if (runsForEver(pod, container)) return { runMs: undefined, ending: endingWith(0) };
  const { ms, code } = commandOf(container);
  return { runMs: ms, ending: endingWith(code) };
}

/**
 * Servers run for ever, and so does whatever has no command and is not expected to end. What is restarted is a server,
 * unless its command says that it fails.
 */
function runsForEver(pod: Pod, container: PodContainer): boolean {
  const { kind, spec } = container;
  if (kind === 'sidecar') return true;
  const hasCommand = (spec.command ?? []).length + (spec.args ?? []).length > 0;
  if (kind === 'init') return false;
  if (kind === 'ephemeral') return !hasCommand || spec.stdin === true;
  if ((pod.spec?.restartPolicy ?? 'Always') === 'Always') return commandOf(container).code === 0;
  return !hasCommand && (isPause(spec.image ?? '') || controllerOf(pod)?.kind !== 'Job');
}

/** The image that every cluster has, and whose program does nothing but wait. */
function isPause(image: string): boolean {
  return /(?:^|\/)pause(?:[:@]|$)/.test(image);
}

/** What a command does: how long it takes, if it ends at all, and its exit code. */
function commandOf({ spec }: PodContainer): { readonly ms: number | undefined; readonly code: number } {
  const words = [...(spec.command ?? []), ...(spec.args ?? [])];
  const text = words.join(' ');
  const code = exitCodeOf(text);
  if (/\bwhile\s+(?:true|:|\[\s*1\s*\])|\buntil\s+false\b|\bfor\s*\(\(\s*;|\btail\s+-[fF]|\bpause\b/.test(text)) {
    return { ms: undefined, code };
  }
  let ms = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/\bsleep\s+(infinity|inf|\d+(?:\.\d+)?)([smhd]?)\b/g)) {
    ms += amount.startsWith('inf') ? FOR_EVER : Number(amount) * (UNITS[unit] ?? 0);
  }
  return { ms: ms === FOR_EVER ? undefined : ms, code };
}

const OPENING: ReadonlySet<string> = new Set(['if', 'while', 'until', 'for', 'case']);
const CLOSING: ReadonlySet<string> = new Set(['fi', 'done', 'esac']);

/**
 * What a command returns, with what a shell would make of it: `exit N` and `false` fail, any other command succeeds, and so
 * none runs that follows `||` after one of those. Whether a condition holds is unknown, and nothing within it counts.
 */
export function exitCodeOf(text: string): number {
  let code = 0;
  let depth = 0;
  let operator = ';';
  // Operators are kept between the commands.
  for (const [index, part] of text.split(/(&&|\|\||[;\n|&])/).entries()) {
    if (index % 2 === 1) {
      operator = part;
      continue;
    }
    const words = part.split(/\s+/).filter((word) => word !== '');
    // Before the first command is the name of the shell.
    const [name = '', ...parameters] = words.slice(words.findIndex((word) => index === 0 && /^-\w*c$/.test(word)) + 1);
    if (OPENING.has(name)) depth++;
    if (CLOSING.has(name)) depth--;
    const isSkipped = (operator === '&&' && code !== 0) || (operator === '||' && code === 0);
    if (name === '' || isSkipped || depth > 0) continue;
    if (name === 'exit' && /^\d+$/.test(parameters[0] ?? '')) return Number(parameters[0]) & 255;
    code = name === 'false' || name.endsWith('/false') ? 1 : 0;
  }
  return code;
}
