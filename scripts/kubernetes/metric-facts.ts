// The metrics of releases of Kubernetes, from the sources that declare them: type, stability, labels, deprecation and
// buckets of each. Descriptions are only kept of those whose text is as firm as their labels, that is beta and stable.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from './go-sources.ts';

/** A metric of one release. */
export interface MetricFacts {
  readonly type: string;
  readonly stability: string;
  /** Sorted; undefined for none. */
  readonly labels?: readonly string[];
  readonly deprecatedIn?: string;
  /** The upper bounds of buckets, where the sources list them. */
  readonly bounds?: readonly number[];
  /** Of beta and stable metrics. */
  readonly help?: string;
}

/** Metrics by name. */
export type ReleaseMetrics = Readonly<Record<string, MetricFacts>>;

/** Folders whose packages declare metrics of the server, by module. */
const SOURCES: readonly (readonly [module: string, folder: string])[] = [
  ['apiserver', 'pkg'],
  ['apiserver', 'plugin/pkg'],
  ['apiextensions-apiserver', 'pkg'],
  ['kube-aggregator', 'pkg'],
  ['component-base', ''],
  ['pod-security-admission', ''],
  ['client-go', ''],
  ...['pkg/registry', 'pkg/serviceaccount', 'pkg/controlplane', 'pkg/kubeapiserver', 'plugin/pkg', 'pkg/util'].map(
    (folder) => ['kubernetes', folder] as const,
  ),
];

/** Reads the metrics of a release. @throws Error if a module cannot be downloaded */
export function readMetrics(version: string): ReleaseMetrics {
  const roots = SOURCES.map(([module, folder]) => join(moduleFolder(module, version), folder));
  const found = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => packagesBelow(root))
    .flatMap((texts) => metricsOf(texts));
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The sources of each package below a folder, without its tests. */
function packagesBelow(root: string): string[][] {
  const entries = readdirSync(root, { withFileTypes: true });
  const files = entries.filter(({ name }) => name.endsWith('.go') && !name.endsWith('_test.go'));
  const below = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => packagesBelow(join(root, name)));
  return [files.map(({ name }) => readFileSync(join(root, name), 'utf8')), ...below];
}

const CONSTANT = /^\s*(?:const\s+|var\s+)?(\w+)\s*(?:string)?\s*=\s*"([^"]*)"/gm;
const OPTIONS = /(?:\w+\.)?(Counter|Gauge|Histogram|Summary|TimingHistogram)Opts\{/g;
const DESCRIPTION =
  /NewDesc\(\s*([^,()]+(?:\([^)]*\))?),\s*"[^"]*",\s*(?:\[\]string\{([^}]*)\}|nil)[^)]*?metrics\.(ALPHA|BETA|STABLE)/g;
/** Constants of other packages. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  APIServerComponent: 'apiserver',
  NamespaceAPIServer: 'apiserver',
};

/**
 * The metrics that a package declares with names that its sources tell.
 * @param texts its sources
 * @internal
 */
export function metricsOf(texts: readonly string[]): [name: string, facts: MetricFacts][] {
  if (!texts.some((text) => text.includes('Opts{') || text.includes('NewDesc('))) return [];
  const pairs = texts.flatMap((text) => [...text.matchAll(CONSTANT)]);
  const constants = new Map(pairs.map(([, name = '', value = '']) => [name, value]));
  /** The text that an expression stands for; undefined if it is made at runtime. */
  const textOf = (expression: string): string | undefined => {
    const trimmed = expression.trim().replace(/,$/, '');
    const [, literal] = /^"([^"]*)"$/.exec(trimmed) ?? [];
    const name = trimmed.split('.').at(-1) ?? '';
    return literal ?? constants.get(name) ?? ELSEWHERE[name];
  };
  const named = (parts: readonly (string | undefined)[]): string | undefined => {
    const values = parts.map((part) => (part === undefined || part.trim() === '' ? '' : textOf(part)));
    return values.includes(undefined) ? undefined : values.filter((value) => value !== '').join('_');
  };
  const labelsIn = (list: string): { labels?: string[] } => {
    const labels = list.split(',').flatMap((each) => (each.trim() === '' ? [] : [textOf(each) ?? each.trim()]));
    return labels.length === 0 ? {} : { labels: labels.sort() };
  };
  return texts.flatMap((text) => {
    const found: [string, MetricFacts][] = [];
    for (const { 1: type = '', 0: start, index } of text.matchAll(OPTIONS)) {
      const from = index + start.length;
      const end = closing(text, from);
      const body = text.slice(from, end);
      const name = named(['Namespace', 'Subsystem', 'Name'].map((each) => member(body, each)));
      if (member(body, 'Name') === undefined || name === undefined) continue;
      const [, list = ''] = /^\},?\s*\[\]string\{([^}]*)\}/.exec(text.slice(end)) ?? [];
      found.push([name, { ...factsIn(type, body), ...labelsIn(list) }]);
    }
    for (const [, name = '', list = '', stability = ''] of text.matchAll(DESCRIPTION)) {
      const [, parts] = /BuildFQName\(([^)]*)\)/.exec(name) ?? [];
      const known = named(parts === undefined ? [name] : parts.split(','));
      if (known !== undefined) found.push([known, { type: 'custom', stability, ...labelsIn(list) }]);
    }
    return found;
  });
}

/** Where the braces end that are open at an index. */
function closing(text: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at++) {
    const char = text[at];
    if (char === '"' || char === '`') at = text.indexOf(char, at + 1);
    else if (char === '{') depth++;
    else if (char === '}') depth--;
  }
  return at - 1;
}

/** The expression of a member in one line. */
function member(body: string, name: string): string | undefined {
  return new RegExp(`\\b${name}:\\s*([^\\n]*?),?\\s*(?:\\n|$)`).exec(body)?.[1];
}

function factsIn(type: string, body: string): MetricFacts {
  const stability = /StabilityLevel:\s*(?:\w+\.)?(\w+)/.exec(body)?.[1] ?? 'ALPHA';
  const deprecatedIn = /DeprecatedVersion:\s*"([^"]*)"/.exec(body)?.[1];
  const [, listed] = /Buckets:\s*\[\]float64\{([^}]*)\}/.exec(body) ?? [];
  const bounds = listed?.split(',').flatMap((each) => (each.trim() === '' ? [] : [Number(each)]));
  const [, written = ''] = /Help:\s*((?:(?:"(?:[^"\\]|\\.)*"|`[^`]*`)\s*\+?\s*)+)/.exec(body) ?? [];
  const help = [...written.matchAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`/g)].map(([, quoted, raw]) => quoted ?? raw).join('');
  return {
    type: type.toLowerCase(),
    stability,
    ...(deprecatedIn !== undefined && { deprecatedIn }),
    ...(bounds?.every(Number.isFinite) && { bounds }),
    ...((stability === 'BETA' || stability === 'STABLE') && help !== '' && { help }),
  };
}
