// `npm run kubernetes -- 1.37.2`: adds a release of Kubernetes to the table of facts, or reads it again, and derives
// from the table the declarations of built-in types, the types of their objects, feature gates, lifecycles of APIs, changes
// of metrics, and the list of releases, and reports what it cannot derive. Needs Go and its module proxy; without an argument only what is derived is written
// again.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubernetesRelease, RELEASES } from '../../src/lifecycle/releases.ts';
import { declarations, writeDeclarations } from './declarations.ts';
import { gateDeclarations } from './gate-declarations.ts';
import { gateTable, type ReleaseGates, readGates } from './gate-facts.ts';
import { type GoPackages, readGoPackages } from './go-sources.ts';
import { groupVersionDeclarations } from './group-versions.ts';
import { type LifecycleTable, lifecycleDeclarations, lifecycleFacts } from './lifecycle-facts.ts';
import { metricDeclarations } from './metric-declarations.ts';
import { type ReleaseMetrics, readMetrics } from './metric-facts.ts';
import { type ReleaseRoles, readRoles, roleDeclarations } from './role-facts.ts';
import { tagDeclarations } from './rule-declarations.ts';
import { readTable, releasesOf, tableOf, writeTable } from './table.ts';
import { typeFacts } from './type-facts.ts';

const ROOT = join(import.meta.dirname, '../..');
const TABLE = join(import.meta.dirname, 'table');
const TYPES = join(TABLE, 'types');
const LIFECYCLES = join(TABLE, 'lifecycles.json');
/** The oldest release whose gates, roles and metrics can be read: its module is the oldest that the module proxy has. */
const FIRST_WITH_GATES = 29;
const BUILTIN = join(ROOT, 'src/resources/builtin');

const VERSION = /^1\.(\d+)\.(\d+)(?:-((?:alpha|beta|rc)\.\d+))?$/;

/**
 * Adds a release to the table, or reads it again.
 *
 * @param known the releases that the table has
 * @returns those that it has then
 */
function addRelease(version: string, known: readonly KubernetesRelease[]): readonly KubernetesRelease[] {
  const [, minorText = '', patch = '', prerelease] = VERSION.exec(version) ?? [];
  if (patch === '') throw new Error(`${version} is not a release of Kubernetes, such as 1.37.2 or 1.38.0-beta.0`);
  const minor = Number(minorText);
  const packages = readGoPackages(version);
  const types = typeFacts(packages, minor);
  const before = releasesOf(readTable(TYPES), minorsOf(known));
  const others = known.filter((release) => release.minor !== minor);
  const all = [...others, { minor, patch: Number(patch), ...(prerelease !== undefined && { prerelease }) }];
  all.sort((one, other) => one.minor - other.minor);
  const table = tableOf({
    minors: minorsOf(all),
    types: new Map([...before.types, [minor, types]]),
  });
  writeTable(TYPES, table);
  addLifecycles(packages, minor >= Math.max(...minorsOf(known)));
  if (minor >= FIRST_WITH_GATES) {
    const { specs, requires } = readGates(version);
    const text = `{\n"specs": {\n${lines(specs)}\n},\n"requires": {\n${lines(requires)}\n}\n}\n`;
    writeFileSync(join(TABLE, `gates-1.${minor}.json`), text);
    writeFileSync(join(TABLE, `roles-1.${minor}.json`), `{\n${lines(readRoles(version))}\n}\n`);
    writeFileSync(join(TABLE, `metrics-1.${minor}.json`), `{\n${lines(readMetrics(version))}\n}\n`);
  }
  return all;
}

function minorsOf(releases: readonly KubernetesRelease[]): number[] {
  return releases.map(({ minor }) => minor);
}

function addLifecycles(packages: GoPackages, isNewest: boolean): void {
  const before = JSON.parse(readFileSync(LIFECYCLES, 'utf8')) as LifecycleTable;
  const read = lifecycleFacts(packages);
  const all = Object.entries(isNewest ? { ...before, ...read } : { ...read, ...before });
  all.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(LIFECYCLES, `{\n${lines(Object.fromEntries(all))}\n}\n`);
}

/** A line for each member. */
function lines(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');
}

/** What the table has of each release under a name: `gates-1.37.json`. */
function ofReleases<T>(name: string): ReadonlyMap<number, T> {
  const files = readdirSync(TABLE).flatMap((file) => {
    const [, what, minor] = /^(\w+)-1\.(\d+)\.json$/.exec(file) ?? [];
    if (what !== name) return [];
    return [[Number(minor), JSON.parse(readFileSync(join(TABLE, file), 'utf8')) as T] as const];
  });
  return new Map(files);
}

function writeReleases(releases: readonly KubernetesRelease[]): void {
  const rows = releases.map((release) => {
    const members = Object.entries(release).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    return `  { ${members.join(', ')} },\n`;
  });
  const text = `// The releases of Kubernetes 1 whose facts are known, the oldest first. Written by \`npm run kubernetes\`.

/** A release of Kubernetes 1 whose behavior can be served. */
export interface KubernetesRelease {
  readonly minor: number;
  readonly patch: number;
  /** \`beta.0\`; undefined for a release. */
  readonly prerelease?: string;
}

/** All releases that can be served, the oldest first. */
export const RELEASES: readonly KubernetesRelease[] = Object.freeze([
${rows.join('')}]);
`;
  writeFileSync(join(ROOT, 'src/lifecycle/releases.ts'), text);
}

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

let releases = RELEASES;
for (const version of process.argv.slice(2)) releases = addRelease(version, releases);
writeReleases(releases);
const table = readTable(TYPES);
writeDeclarations(BUILTIN, declarations(BUILTIN, table));
writeFileSync(join(BUILTIN, 'declared-tags.ts'), tagDeclarations(table, minorsOf(releases)));
writeFileSync(join(BUILTIN, 'meta/group-versions.ts'), groupVersionDeclarations(table));
writeFileSync(
  join(ROOT, 'src/lifecycle/feature-gate-table.ts'),
  gateDeclarations(gateTable(ofReleases<ReleaseGates>('gates'))),
);
const roles = ofReleases<ReleaseRoles>('roles');
writeFileSync(join(ROOT, 'src/resources/bootstrap/role-history.ts'), roleDeclarations(roles));
const metrics = ofReleases<ReleaseMetrics>('metrics');
writeFileSync(join(ROOT, 'src/lifecycle/metric-history.ts'), metricDeclarations(metrics));
const lifecycles = JSON.parse(readFileSync(LIFECYCLES, 'utf8')) as LifecycleTable;
writeFileSync(join(ROOT, 'src/lifecycle/api-lifecycle-table.ts'), lifecycleDeclarations(lifecycles));
run('npx', 'biome', 'check', '--write', 'src/resources', 'src/lifecycle');
// In processes of their own: they read the declarations just written.
run(process.execPath, 'scripts/object-types.ts');
for (const version of process.argv.slice(2)) {
  // What the sources of older releases ask for cannot be read.
  if (Number(version.split('.')[1]) > FIRST_WITH_GATES) run(process.execPath, 'scripts/kubernetes/report.ts', version);
}
