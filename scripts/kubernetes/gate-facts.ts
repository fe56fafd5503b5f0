// The feature gates of releases of Kubernetes: their stages from the list that its tests keep, from 1.32 on, and from
// the sources of the gates before. All releases merge into one table, because a stage that has been reached is not
// changed later.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '../../src/api/yaml-reader.ts';
import { moduleFolder } from './go-sources.ts';

/** The stage of a gate from a minor release on. */
export interface GateSpec {
  readonly since: number;
  readonly stage: string;
  readonly default: boolean;
  readonly locked: boolean;
  /** It holds only if all servers are at least of this minor release. */
  readonly minCompatibility?: number;
}

/** The gates of one release. */
export interface ReleaseGates {
  readonly specs: Readonly<Record<string, readonly GateSpec[]>>;
  /** Gates that a gate can only be enabled with. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
}

/** A gate in all releases. */
interface TableGate {
  readonly specs: readonly GateSpec[];
  /** The first release that knows it, if that is not the one of its first stage. */
  readonly since?: number;
  /** The last release that knows it. */
  readonly until?: number;
  readonly requires?: readonly string[];
}

export type GateTable = Readonly<Record<string, TableGate>>;

const LIST = 'test/compatibility_lifecycle/reference/versioned_feature_list.yaml';
const OLD_LIST = 'test/featuregates_linter/test_data/versioned_feature_list.yaml';

/** Reads the gates of a release. @throws Error if its module cannot be downloaded */
export function readGates(version: string): ReleaseGates {
  const root = moduleFolder('kubernetes', version);
  const minor = Number(version.split('.')[1]);
  const list = [LIST, OLD_LIST].map((each) => join(root, each)).find((each) => existsSync(each));
  const sources = new GateSources(version);
  const listed = list === undefined ? {} : listedGates(readFileSync(list, 'utf8'), sources.names);
  // The list has the gates with versions; the others hold in every version.
  const specs = { ...sources.gates(list === undefined ? minor : 0), ...listed, ...STAGE_GATES };
  return { specs, requires: requirements(join(root, 'pkg/features/kube_features.go'), sources.names) };
}

/** Gates of whole stages, which are no feature. */
const STAGE_GATES: Readonly<Record<string, readonly GateSpec[]>> = {
  AllAlpha: [{ since: 0, stage: 'ALPHA', default: false, locked: false }],
  AllBeta: [{ since: 0, stage: 'BETA', default: false, locked: false }],
};

/** @param names of gates by those of their constants, which the list has */
function listedGates(text: string, names: ReadonlyMap<string, string>): Record<string, GateSpec[]> {
  const { value } = readYaml(text);
  const gates = value as unknown as readonly { name: string; versionedSpecs: readonly Record<string, unknown>[] }[];
  return Object.fromEntries(
    gates.map(({ name, versionedSpecs }) => [names.get(name) ?? name, versionedSpecs.map(listedSpec)]),
  );
}

function listedSpec(spec: Record<string, unknown>): GateSpec {
  const least = spec['minCompatibilityVersion'];
  return {
    since: Number(String(spec['version']).split('.')[1]),
    stage: stageOf(String(spec['preRelease'])),
    default: spec['default'] === true,
    locked: spec['lockToDefault'] === true,
    ...(typeof least === 'string' && { minCompatibility: Number(least.split('.')[1]) }),
  };
}

function stageOf(text: string): string {
  return text === '' ? 'GA' : text.toUpperCase();
}

/** Folders with gates of the server, by module. */
const SOURCES: readonly (readonly [module: string, folder: string])[] = [
  ['kubernetes', 'pkg/features'],
  ['apiserver', 'pkg/features'],
  ['apiextensions-apiserver', 'pkg/features'],
  ['client-go', 'features'],
  ['component-base', 'logs/api/v1'],
  ['component-base', 'metrics/features'],
];
const CONSTANT = /^\s*(?:const )?(\w+)\s+(?:featuregate\.)?Feature = "(\w+)"/gm;
const VERSIONED = /^\s*(\w+):\s*\{\n((?:\s*\{Version: [^}]*\},\n)+)/gm;
const ENTRY = /^\s*(?:\w+\.)?(\w+):\s*\{(Default: \w+, PreRelease: [^}]*)\}/gm;
/** A default by name. */
const NAMED_DEFAULT = /^\s*(\w+Default)\s*= (true|false)$/gm;

/** The sources that declare the gates of a release. */
class GateSources {
  readonly #texts: readonly string[];
  /** The names of gates by those of their constants. */
  readonly names: ReadonlyMap<string, string>;

  constructor(version: string) {
    this.#texts = SOURCES.flatMap(([module, folder]) => {
      const root = join(moduleFolder(module, version), folder);
      if (!existsSync(root)) return [];
      const files = readdirSync(root).filter((file) => file.endsWith('.go') && !file.endsWith('_test.go'));
      return files.map((file) => readFileSync(join(root, file), 'utf8'));
    });
    this.names = new Map(
      this.#texts.flatMap((text) => [...text.matchAll(CONSTANT)].map(([, go = '', name = '']) => [go, name] as const)),
    );
  }

  /** The gates that are declared without versions. @param since the release from which on they are to hold */
  gates(since: number): Record<string, GateSpec[]> {
    const found: Record<string, GateSpec[]> = {};
    for (const text of this.#texts) {
      const defaults = new Map([...text.matchAll(NAMED_DEFAULT)].map(([, name = '', value = '']) => [name, value]));
      for (const [, go = '', facts = ''] of text.matchAll(ENTRY)) {
        const literal = facts.replace(/(?<=Default: )\w+/, (name) => defaults.get(name) ?? name);
        found[this.names.get(go) ?? go] = [sourceSpec(literal, since)];
      }
      // Those of client-go are in no list.
      for (const [, go = '', block = ''] of text.matchAll(VERSIONED)) {
        const specs = [...block.matchAll(/\{Version: version\.MustParse\("1\.(\d+)"\),([^}]*)\}/g)];
        found[this.names.get(go) ?? go] = specs.map(([, minor, facts = '']) => sourceSpec(facts, Number(minor)));
      }
    }
    return found;
  }
}

function sourceSpec(facts: string, since: number): GateSpec {
  const [, stage = ''] = /PreRelease: (?:\w+\.)?(\w+)/.exec(facts) ?? [];
  return {
    since,
    stage: stage.toUpperCase(),
    default: /\bDefault: true/.test(facts),
    locked: facts.includes('LockToDefault: true'),
  };
}

function requirements(file: string, names: ReadonlyMap<string, string>): Record<string, string[]> {
  const text = readFileSync(file, 'utf8');
  const [, block = ''] = /FeatureGateDependencies = map\[[^{]*\{\n([\s\S]*?)\n\}\n/.exec(text) ?? [];
  // Both are constants, converted from client-go's type where they are its own: featuregate.Feature(features.Name).
  const named = (constant: string): string => {
    const [, name = ''] = /(\w+)\)?\s*$/.exec(constant) ?? [];
    return names.get(name) ?? name;
  };
  const entries = [...block.matchAll(/^\s*([\w.()]+):\s*\{([^}]*)\}/gm)].map(([, name = '', needs = '']) => {
    const needed = needs.split(',').filter((need) => need.trim() !== '');
    return [named(name), needed.map(named).sort()] as const;
  });
  return Object.fromEntries(entries.filter(([, needs]) => needs.length > 0));
}

/**
 * One table of the gates of several releases: a gate's stages are those that the newest release with it lists, and older
 * ones that only its sources at the time tell.
 */
export function gateTable(releases: ReadonlyMap<number, ReleaseGates>): GateTable {
  const minors = [...releases.keys()].sort((one, other) => one - other);
  const names = new Set([...releases.values()].flatMap(({ specs }) => Object.keys(specs)));
  const table: Record<string, TableGate> = {};
  for (const name of [...names].sort()) {
    const there = minors.filter((minor) => releases.get(minor)?.specs[name] !== undefined);
    const newest = there.at(-1) as number;
    const specs = [...(releases.get(newest)?.specs[name] ?? [])];
    for (const minor of there.toReversed()) {
      const own = releases.get(minor)?.specs[name]?.at(-1) as GateSpec;
      if (!LISTED_EARLY.has(name) && specs.every(({ since }) => since > minor)) specs.unshift(own);
    }
    const first = there[0] as number;
    const since = specs[0]?.since === first || first === minors[0] ? undefined : first;
    const requires = releases.get(newest)?.requires[name];
    const restated = RESTATED[name];
    if (restated !== undefined && restated <= newest) {
      const last = specs.pop() as GateSpec;
      const before = releases.get(restated - 1)?.specs[name]?.at(-1);
      if (before !== undefined)
        specs.splice(0, specs.length, ...specs.filter(({ since }) => since < before.since), before);
      specs.push({ ...last, since: restated });
    }
    table[name] = {
      specs: withoutRepeats(specs),
      ...(since !== undefined && { since }),
      ...(newest !== minors.at(-1) && { until: newest }),
      ...(requires && { requires }),
    };
  }
  return table;
}

/** Gates that releases list, without anything behind them, before the one that later releases date their first stage to. */
const LISTED_EARLY: ReadonlySet<string> = new Set(['MutatingAdmissionPolicy']);

/** Gates whose stage was changed in place, by the release that changed it. */
const RESTATED: Readonly<Record<string, number>> = { TopologyManagerPolicyOptions: 36, WindowsHostNetwork: 33 };

function withoutRepeats(specs: readonly GateSpec[]): GateSpec[] {
  const text = ({ since: _since, ...facts }: GateSpec) => JSON.stringify(facts);
  return specs.filter((spec, at) => at === 0 || text(spec) !== text(specs[at - 1] as GateSpec));
}
