// `keelson completion`: shell completion scripts. A script calls this program, so that it is always up to date.

import { lookup } from '../base/lookup.ts';
import type { CommandProcess } from './command-process.ts';
import { type CommandFacts, commands } from './commands.ts';
import { reportUsage } from './failure.ts';
import { acceptedFlags } from './flags/accepted.ts';
import { valuesOf } from './flags/flag-values.ts';
import { serveFlags } from './flags/sections.ts';
import { suggestion } from './suggestion.ts';

const usage = `Print a script that completes commands, flags and their values.

Usage:
  keelson completion bash|zsh|fish

For this session of bash: source <(keelson completion bash)
For every one: put the line into ~/.bashrc; of zsh, into ~/.zshrc. For fish:
  keelson completion fish > ~/.config/fish/completions/keelson.fish
`;

/** macOS has bash 3.2: no negative indexes, no mapfile. */
const bash = `_keelson() {
  local line="\${COMP_LINE:0:$COMP_POINT}" words current IFS=$' \\t\\n'
  read -r -a words <<< "$line"
  case "$line" in *[[:space:]]) words+=('') ;; esac
  current="\${words[\${#words[@]}-1]}"
  IFS=$'\\n'
  COMPREPLY=($("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null))
  case "$current$COMP_WORDBREAKS" in --*=*=*) COMPREPLY=("\${COMPREPLY[@]#*=}") ;; esac
}
complete -o default -F _keelson keelson
`;

const zsh = `#compdef keelson
_keelson() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _keelson keelson
`;

const fish = `function __keelson_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c keelson -a '(__keelson_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = lookup({ bash, zsh, fish });

/** Prints a shell's script; returns the exit status. */
export function completionCommand(argv: readonly string[], command: Pick<CommandProcess, 'out' | 'err'>): number {
  const [shell = '', ...others] = argv;
  if (shell === '--help' || shell === '-h') {
    command.out(usage);
    return 0;
  }
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined || others.length > 0) {
    const meant = suggestion(shell, Object.keys(SCRIPTS));
    return reportUsage(`completion needs one of bash, zsh, fish${meant}`, 'completion', command);
  }
  command.out(script);
  return 0;
}

/** Completions of the last word, after the others behind `keelson`. Empty: the shell's default, such as files. */
export function complete(words: readonly string[]): string[] {
  const current = words.at(-1) ?? '';
  if (words.length < 2) return starting(current, [...commands.map(({ name }) => name), '--help', '--version']);
  const command = commands.find(({ name }) => name === words[0]);
  if (command === undefined || words.slice(1, -1).includes('--')) return [];
  const flags = flagsOf(command);
  const before = words.at(-2) ?? '';
  const awaited = words.length > 2 ? flags.get(before) : undefined;
  if (awaited !== undefined && !awaited.optional) return starting(current, awaited.values);
  const equals = current.indexOf('=');
  if (current.startsWith('-') && equals > 0) {
    const name = current.slice(0, equals);
    return starting(
      current,
      (flags.get(name)?.values ?? []).map((value) => `${name}=${value}`),
    );
  }
  if (current.startsWith('-')) return starting(current, [...flags.keys(), '--help']);
  return starting(current, command.words ?? []);
}

interface FlagFacts {
  readonly values: readonly string[];
  /** Whether the next word is not its value. */
  readonly optional: boolean;
}

function flagsOf({ flags, serves }: CommandFacts): Map<string, FlagFacts> {
  const own = Object.entries(flags).map(
    ([name, values]) => [name, { values: values ?? [], optional: values === undefined }] as const,
  );
  if (serves === undefined) return new Map(own);
  const served = [...serveFlags, ...acceptedFlags].map((flag) => {
    const optional = flag.type === 'bool' || flag.type === 'version';
    return [`--${flag.name}`, { values: valuesOf(flag), optional }] as const;
  });
  return new Map([...own, ...served]);
}

function starting(text: string, candidates: readonly string[]): string[] {
  return candidates.filter((candidate) => candidate.startsWith(text)).sort();
}
