// The report on a release that has been adopted, `build/kubernetes-1.38.md`: what `npm run kubernetes` cannot derive and
// people have to look at. It quotes texts of Kubernetes, so that it is no part of the repository.
//
//     node scripts/kubernetes/report.ts 1.38.0

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { RELEASES, releaseName } from '../../src/lifecycle/version.ts';
import { builtinResourcesIn } from '../../src/resources/builtin/resources.ts';
import type { ReleaseGates } from './gate-facts.ts';
import { moduleFolder } from './go-sources.ts';
import { type Changes, changedFunctions, changedGates, changedTexts, type GoSources } from './source-changes.ts';
import { readTable } from './table.ts';

const ROOT = join(import.meta.dirname, '../..');
const TABLE = join(import.meta.dirname, 'table');

/** What is part of the server, by module. */
const SERVER: readonly (readonly [module: string, ...folders: string[]])[] = [
  [
    ...(['kubernetes', 'pkg/apis', 'pkg/registry', 'pkg/controlplane', 'pkg/kubeapiserver', 'pkg/quota'] as const),
    ...['pkg/capabilities', 'pkg/securitycontext', 'pkg/serviceaccount', 'plugin/pkg', 'cmd/kube-apiserver'],
  ],
  ['apiserver', 'pkg', 'plugin'],
  ['apiextensions-apiserver', 'pkg'],
  ['kube-aggregator', 'pkg'],
  ['apimachinery', 'pkg'],
  ['component-helpers', 'resource', 'nodedeclaredfeatures'],
  ['pod-security-admission', ''],
];

const GENERATED = /(?:_test|\.pb|\/zz_generated\.[\w.]+|\/testing\/\w+)\.go$/;

/** The server's sources of a release. @throws Error if a module cannot be downloaded */
function serverSources(version: string): GoSources {
  const sources = new Map<string, string>();
  for (const [module, ...folders] of SERVER) {
    const root = moduleFolder(module, version);
    for (const folder of folders.filter((each) => existsSync(join(root, each)))) {
      for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
        const path = join(module, folder, file);
        if (!file.endsWith('.go') || GENERATED.test(path)) continue;
        sources.set(path, readFileSync(join(root, folder, file), 'utf8'));
      }
    }
  }
  return sources;
}

/** Kinds that are new in a release and have a list, as resources have, but no resource. */
function kindsWithoutResource(minor: number): string[] {
  const types = Object.values(readTable(join(TABLE, 'types'))).flatMap(({ spans }) => spans);
  const kinds = new Set(types.flatMap(({ kind, since }) => (since === minor && kind !== undefined ? [kind] : [])));
  const served = new Set(
    builtinResourcesIn(minor).flatMap(({ group, kind, versions, unserved = [] }) =>
      [...versions, ...unserved].map(({ version }) => `${group === '' ? '' : `${group}/`}${version}/${kind}`),
    ),
  );
  return [...kinds].filter((kind) => kinds.has(`${kind}List`) && !served.has(kind)).sort();
}

function gatesOf(minor: number): ReleaseGates {
  return JSON.parse(readFileSync(join(TABLE, `gates-1.${minor}.json`), 'utf8')) as ReleaseGates;
}

function section(title: string, rows: readonly string[]): string {
  return `## ${title}: ${rows.length}\n\n${rows.map((row) => `- ${row}\n`).join('')}\n`;
}

function changeSections(what: string, { added, removed, changed }: Changes): string {
  return section(`New ${what}`, added) + section(`Changed ${what}`, changed) + section(`Former ${what}`, removed);
}

const isValidation = (path: string): boolean => /\/validation\/|\/validat\w*\.go$/.test(path);
const isStrategy = (path: string): boolean => /\/registry\/.*(?:strategy|storage)\.go$/.test(path);
const isDefaulting = (path: string): boolean => /\/(?:defaults|conversion)\.go$/.test(path);
const isAdmission = (path: string): boolean => /\/admission\//.test(path);

const [version = ''] = process.argv.slice(2);
const at = RELEASES.findIndex((release) => releaseName(release) === `v${version}`);
const [previous, release] = [RELEASES[at - 1], RELEASES[at]];
if (previous === undefined || release === undefined) throw new Error(`${version} is not in the table, or is its first`);
const [before, after] = [serverSources(releaseName(previous).slice(1)), serverSources(version)];
const gates = changedGates(gatesOf(previous.minor), gatesOf(release.minor), after);
const texts = changedTexts(before, after);
const report = [
  `# Kubernetes ${releaseName(release)} after ${releaseName(previous)}\n\n`,
  section('Kinds without a resource', kindsWithoutResource(release.minor)),
  section(
    'Feature gates that the server asks for',
    gates.flatMap(({ name, what, files }) => (files.length === 0 ? [] : [`${name} (${what}): ${files.join(', ')}`])),
  ),
  section(
    'Feature gates for other components',
    gates.flatMap(({ name, what, files }) => (files.length === 0 ? [`${name} (${what})`] : [])),
  ),
  changeSections('functions of validation', changedFunctions(before, after, isValidation)),
  changeSections('functions of strategies and storage', changedFunctions(before, after, isStrategy)),
  changeSections('functions of defaulting and conversion', changedFunctions(before, after, isDefaulting)),
  changeSections('functions of admission', changedFunctions(before, after, isAdmission)),
  section('New texts', texts.added),
  section('Former texts', texts.removed),
];
const target = join(ROOT, 'build', `kubernetes-1.${release.minor}.md`);
mkdirSync(join(ROOT, 'build'), { recursive: true });
writeFileSync(target, report.join(''));
const titles = report.join('').match(/^## .*$/gm) ?? [];
console.log(`${relative(ROOT, target)} lists what people have to look at:`);
for (const title of titles) console.log(`  ${title.slice('## '.length)}`);
