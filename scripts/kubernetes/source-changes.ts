// What people have to look at when they adopt a release of Kubernetes: what its server does, as opposed to what its types,
// tags and tables say. Found by comparing the sources of two releases; only names and places are reported, but for the
// texts that clients see.

import type { ReleaseGates } from './gate-facts.ts';

/** The files of a release by path, `apiserver/pkg/features/kube_features.go`. */
export type GoSources = ReadonlyMap<string, string>;

/** Names that came, that went and that are otherwise. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** A gate that is new or has another default, and the files of the server that ask for it. */
export interface GateUse {
  readonly name: string;
  /** `new, off`, `on instead of off`. */
  readonly what: string;
  readonly files: readonly string[];
}

/** Declarations of functions at the start of a line, and what follows up to the end of each. */
const FUNCTION = /^func (?:\(\w* ?\*?(\w+)(?:\[[^\]]*\])?\) )?(\w+)[\s\S]*?^\}/gm;

/** Functions by path and name, `pkg/apis/core/validation/validation.go ValidatePod`, with their text. */
function functionsOf(sources: GoSources, isMeant: (path: string) => boolean): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, text] of sources) {
    if (!isMeant(path)) continue;
    for (const [whole, receiver, name = ''] of text.matchAll(FUNCTION)) {
      found.set(`${path} ${receiver === undefined ? '' : `${receiver}.`}${name}`, withoutComments(whole));
    }
  }
  return found;
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*\n/gm, '').replace(/\s+/g, ' ');
}

/**
 * Functions that are not the same in two releases, whatever their comments say.
 *
 * @param isMeant which files count
 */
export function changedFunctions(before: GoSources, after: GoSources, isMeant: (path: string) => boolean): Changes {
  const [old, now] = [functionsOf(before, isMeant), functionsOf(after, isMeant)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)).sort(),
    removed: [...old.keys()].filter((name) => !now.has(name)).sort(),
    changed: [...now].flatMap(([name, text]) => (old.has(name) && old.get(name) !== text ? [name] : [])).sort(),
  };
}

/** Texts of three words or more. */
const TEXT = /"((?:[^"\\\n]|\\.)*\s(?:[^"\\\n]|\\.)*\s(?:[^"\\\n]|\\.)*)"/g;

function textsOf(sources: GoSources): Set<string> {
  return new Set([...sources.values()].flatMap((text) => [...text.matchAll(TEXT)].map(([, words = '']) => words)));
}

/** Texts that only one of two releases has; they may be messages to clients. */
export function changedTexts(before: GoSources, after: GoSources): Pick<Changes, 'added' | 'removed'> {
  const [old, now] = [textsOf(before), textsOf(after)];
  return {
    added: [...now].filter((text) => !old.has(text)).sort(),
    removed: [...old].filter((text) => !now.has(text)).sort(),
  };
}

/** The gates of a release that the release before lacks or has with another default, in the order of their names. */
export function changedGates(before: ReleaseGates, after: ReleaseGates, sources: GoSources): GateUse[] {
  const names = Object.keys(after.specs).sort();
  return names.flatMap((name) => {
    const [old, now] = [before.specs[name]?.at(-1), after.specs[name]?.at(-1)];
    if (now === undefined || old?.default === now.default) return [];
    const state = now.default ? 'on' : 'off';
    const what = old === undefined ? `new, ${state}` : `${state} instead of ${old.default ? 'on' : 'off'}`;
    const asks = new RegExp(String.raw`\b\w*[fF]eatures?\.${name}\b`);
    const files = [...sources].flatMap(([path, text]) => (asks.test(text) ? [path] : [])).sort();
    return [{ name, what, files }];
  });
}
