// The default roles of releases of Kubernetes, from its bootstrap policy: what each has beside those of the release served
// by default, which stand in src/resources/bootstrap. The policy is Go code, which the program in roles/ runs.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CURRENT_MINOR } from '../../src/lifecycle/version.ts';
import { moduleFolder, run } from './go-sources.ts';

interface RoleRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  /** The feature gates that it needs. */
  readonly gates?: readonly string[];
}

/** Rules by the place of a role: `kube-system/name`, or `/name` for a cluster role. */
export type ReleaseRoles = Readonly<Record<string, readonly RoleRule[]>>;

/**
 * Reads the roles of a release. Those that aggregate others have no rules of their own. Builds a good part of
 * Kubernetes, which takes minutes.
 */
export function readRoles(version: string): ReleaseRoles {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-roles-'));
  try {
    cpSync(join(import.meta.dirname, 'roles'), folder, { recursive: true });
    writeFileSync(join(folder, 'go.mod'), moduleText(version));
    run('go', ['mod', 'tidy'], folder);
    const roles = JSON.parse(run('go', ['run', '.'], folder)) as ReleaseRoles;
    const places = Object.entries(roles).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(places);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A module that needs a release of Kubernetes, whose own modules lie beside it in its repository only. */
function moduleText(version: string): string {
  const own = readFileSync(join(moduleFolder('kubernetes', version), 'go.mod'), 'utf8');
  const [, language = ''] = /^go (.*)$/m.exec(own) ?? [];
  const staging = [...own.matchAll(/^\s*(k8s\.io\/[a-z-]+) => /gm)].map(([, name = '']) => name);
  const replaced = [...new Set(staging)].map((name) => `\t${name} => ${name} v0${version.slice(1)}\n`);
  const needed = `require k8s.io/kubernetes v${version}\n\nreplace (\n${replaced.join('')})\n`;
  return `module roles\n\ngo ${language}\n\n${needed}`;
}

/** The text of src/resources/bootstrap/role-history.ts. */
export function roleDeclarations(releases: ReadonlyMap<number, ReleaseRoles>): string {
  const minors = [...releases.keys()].sort((one, other) => one - other);
  const places = [...new Set([...releases.values()].flatMap((roles) => Object.keys(roles)))].sort();
  const text = (minor: number, place: string) => JSON.stringify(releases.get(minor)?.[place]);
  const blocks = places.flatMap((place) => {
    const now = text(CURRENT_MINOR, place);
    const spans: { since: number; until: number; text: string | undefined }[] = [];
    for (const minor of minors) {
      const own = text(minor, place);
      const before = spans.at(-1);
      if (before !== undefined && before.text === own) before.until = minor;
      else spans.push({ since: minor, until: minor, text: own });
    }
    const others = spans.filter((span) => span.text !== now);
    return others.length === 0 ? [] : [`  '${place}': [\n${others.map(spanText).join('')}  ],\n`];
  });
  return `// The default roles that other releases have otherwise than the one served by default: their rules, and undefined where
// a release has no such role. Written by \`npm run kubernetes\`.

import { lookup } from '../../base/lookup.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';
import { behind, type DefaultRule, on, only, urls } from './rules.ts';

/** The rules of a role from one minor release to another. */
interface RoleSpan {
  readonly since: number;
  readonly until: number;
  readonly rules: readonly DefaultRule[] | undefined;
  /** The role exists only while all of these gates are enabled. */
  readonly gates?: readonly FeatureGateName[];
}

/** By \`namespace/name\`; \`/name\` for a cluster role. */
export const ROLE_HISTORY: Readonly<Record<string, readonly RoleSpan[]>> = lookup<readonly RoleSpan[]>({
${blocks.join('')}});
`;
}

function spanText({ since, until, text }: { since: number; until: number; text: string | undefined }): string {
  if (text === undefined) return `    { since: ${since}, until: ${until}, rules: undefined },\n`;
  const rules = JSON.parse(text) as readonly RoleRule[];
  const common = (rules[0]?.gates ?? []).filter((gate) => rules.every(({ gates = [] }) => gates.includes(gate)));
  const texts = rules.map((rule) => ruleText(rule, common));
  const gates = common.length === 0 ? '' : `, gates: ${listText(common)}`;
  return `    { since: ${since}, until: ${until}, rules: [${texts.join(', ')}]${gates} },\n`;
}

function listText(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}

/** @param common the gates without which the role does not exist */
function ruleText(rule: RoleRule, common: readonly string[]): string {
  const { verbs, apiGroups = [], resources = [], resourceNames, nonResourceURLs, gates = [] } = rule;
  const joined = (values: readonly string[]) => `'${values.join(',')}'`;
  const own =
    nonResourceURLs === undefined
      ? `on(${joined(verbs)}, ${joined(apiGroups)}, ${joined(resources)})`
      : `urls(${joined(verbs)}, ${joined(nonResourceURLs)})`;
  const text = resourceNames === undefined ? own : `only(${joined(resourceNames)}, ${own})`;
  const needed = gates.filter((gate) => !common.includes(gate));
  if (needed.length === 0) return text;
  return `behind(${needed.length === 1 ? `'${needed[0]}'` : listText(needed)}, ${text})`;
}
