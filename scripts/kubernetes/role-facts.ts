// The default roles of releases of Kubernetes, from the test data of its bootstrap policy: what each has beside those of
// the release served by default, which stand in src/resources/bootstrap with the gates of their rules.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '../../src/api/yaml-reader.ts';
import { CURRENT_MINOR } from '../../src/lifecycle/version.ts';
import { moduleFolder } from './go-sources.ts';

const FOLDER = 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata';
const FILES = ['cluster-roles', 'controller-roles', 'namespace-roles'];

interface RoleRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Rules by the place of a role: `kube-system/name`, or `/name` for a cluster role. */
export type ReleaseRoles = Readonly<Record<string, readonly RoleRule[]>>;

/** Reads the roles of a release. Those that aggregate others have no rules of their own. */
export function readRoles(version: string): ReleaseRoles {
  const root = moduleFolder('kubernetes', version);
  const found: Record<string, readonly RoleRule[]> = {};
  for (const file of FILES) {
    const { value } = readYaml(readFileSync(join(root, FOLDER, `${file}.yaml`), 'utf8'));
    const { items } = value as unknown as { items: readonly Role[] };
    for (const { metadata, rules, aggregationRule } of items) {
      if (aggregationRule === undefined) found[`${metadata.namespace ?? ''}/${metadata.name}`] = rules ?? [];
    }
  }
  return found;
}

interface Role {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly RoleRule[] | null;
  readonly aggregationRule?: unknown;
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
import { on, only, type Rule, urls } from './rules.ts';

/** The rules of a role from one minor release to another. */
interface RoleSpan {
  readonly since: number;
  readonly until: number;
  readonly rules: readonly Rule[] | undefined;
}

/** By \`namespace/name\`; \`/name\` for a cluster role. */
export const ROLE_HISTORY: Readonly<Record<string, readonly RoleSpan[]>> = lookup<readonly RoleSpan[]>({
${blocks.join('')}});
`;
}

function spanText({ since, until, text }: { since: number; until: number; text: string | undefined }): string {
  const rules = text === undefined ? undefined : (JSON.parse(text) as readonly RoleRule[]).map(ruleText);
  return `    { since: ${since}, until: ${until}, rules: ${rules === undefined ? 'undefined' : `[${rules.join(', ')}]`} },\n`;
}

function ruleText({ verbs, apiGroups = [], resources = [], resourceNames, nonResourceURLs }: RoleRule): string {
  const joined = (values: readonly string[]) => `'${values.join(',')}'`;
  if (nonResourceURLs !== undefined) return `urls(${joined(verbs)}, ${joined(nonResourceURLs)})`;
  const rule = `on(${joined(verbs)}, ${joined(apiGroups)}, ${joined(resources)})`;
  return resourceNames === undefined ? rule : `only(${joined(resourceNames)}, ${rule})`;
}
