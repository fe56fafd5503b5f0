// Generator of nearly valid requests: recorded ones with a mutated body, path, query or headers, and patches generated
// from the contents of recorded bodies.

import { Buffer } from 'node:buffer';
import type { SeededRandom } from '../../src/base/seeded-random.ts';
import { type RequestSpec, readArea, recordedAreas } from '../conformance/scenario.ts';
import { substitute } from '../conformance/variables.ts';
import { mutateBytes, mutatePath, mutateValue, noise, oddValue } from './mutate.ts';

export interface FuzzRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Recorded requests with variables replaced, so that they refer to the same objects. */
export function recordedRequests(): RequestSpec[] {
  const variables = { u: 'fuzz', ns: 'default' };
  const steps = recordedAreas().flatMap((area) => readArea(area).scenarios.flatMap((scenario) => scenario.steps));
  const requests = steps.flatMap((step) => ('path' in step ? [substitute(step as RequestSpec, variables)] : []));
  // fetch does not support TRACE.
  return requests.filter(({ method }) => method !== 'TRACE');
}

/** Returns the next request. Some are valid: they must get far enough for others to do harm. */
export function randomRequest(random: SeededRandom, recorded: readonly RequestSpec[]): FuzzRequest {
  const base = random.pick(recorded);
  const method = random.chance(80) ? (base.method ?? 'GET') : random.pick(methods);
  const path = random.chance(80) ? base.path : mutatePath(base.path, random);
  const query = { ...base.query, ...(random.chance(30) && randomQuery(random)) };
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const target = parameters.size === 0 ? path : `${path}?${parameters}`;
  const { type, body } = bodiless.has(method) ? { type: undefined, body: undefined } : randomBody(base, method, random);
  const own = Object.fromEntries(
    Object.entries(base.headers ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  const headers = {
    accept: 'application/json',
    ...own,
    ...(type && { 'content-type': type }),
    ...randomHeaders(random),
  };
  return { method, target, headers, body };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'SEARCH'];
const bodiless = new Set(['GET', 'HEAD']);

const parameters: Readonly<Record<string, readonly string[]>> = {
  watch: ['1', 'true', '0', 'x'],
  limit: ['0', '1', '-1', '99999999999999999999', 'x'],
  continue: ['x', 'e30', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIifQ'],
  resourceVersion: ['0', '1', '-1', 'x', '18446744073709551615'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'x'],
  labelSelector: ['a=b', 'a in (b,c)', '!a', 'a in (', ',', '(', 'a==b,c!=d', '\0'],
  fieldSelector: ['metadata.name=x', 'a=b', '=', 'metadata.name!=x,', 'spec.nodeName=\\,'],
  timeoutSeconds: ['0', '1', '-1', 'x'],
  timeout: ['1s', 'x', '-1s', '1h1h'],
  dryRun: ['All', 'x', ''],
  fieldManager: ['', 'm', 'x'.repeat(200), '\0'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'x'],
  force: ['true', 'x'],
  pretty: ['true', 'x'],
  propagationPolicy: ['Foreground', 'Orphan', 'x'],
  gracePeriodSeconds: ['0', '-1', 'x'],
  orphanDependents: ['true', 'x'],
  sendInitialEvents: ['true', 'false', 'x'],
  allowWatchBookmarks: ['true', 'x'],
  includeObject: ['None', 'Object', 'x'],
  ignoreStoreReadErrorWithClusterBreakingPotential: ['true', 'x'],
  __proto__x: ['1'],
};

function randomQuery(random: SeededRandom): Record<string, string> {
  const names = Object.keys(parameters);
  const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(names));
  return Object.fromEntries(chosen.map((name) => [name, random.pick(parameters[name]!)]));
}

const headerValues: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    '',
    ',',
    'text/html',
    '__proto__',
    'application/yaml',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'application/json;as=x;v=;g',
    'application/vnd.kubernetes.protobuf',
    'application/vnd.kubernetes.protobuf;stream=watch',
    'application/cbor',
    'application/json;q=x',
    `${'a/b,'.repeat(300)}*/*`,
  ],
  'accept-encoding': ['gzip', 'gzip;q=0', 'br', '*'],
  'content-type': [
    '',
    'x',
    'constructor',
    '__proto__',
    'application/json; charset=latin1',
    'application/yaml',
    'application/json-patch+json',
  ],
  'content-encoding': ['gzip', 'x'],
  'user-agent': ['curl/8', 'kubectl/v1.34', 'x'.repeat(3000)],
  'if-none-match': ['"x"', '*'],
  'impersonate-user': ['alice', '', 'system:admin'],
  'impersonate-group': ['system:masters', ''],
  'impersonate-extra-%zz': ['x'],
  'audit-id': ['x'.repeat(500), '\t'],
  'x-remote-user': ['admin'],
};

function randomHeaders(random: SeededRandom): Record<string, string> {
  if (random.chance(70)) return {};
  const name = random.pick(Object.keys(headerValues));
  return { [name]: random.pick(headerValues[name]!) };
}

interface Body {
  readonly type?: string | undefined;
  readonly body: Buffer | undefined;
}

function randomBody(base: RequestSpec, method: string, random: SeededRandom): Body {
  const value = typeof base.body === 'object' && base.body !== null ? base.body : { kind: 'x' };
  if (method === 'PATCH') return randomPatch(value, random);
  if (random.chance(5)) return { body: undefined };
  const mutated = mutateValue(value, random);
  const text = typeof base.body === 'string' && random.chance(70) ? base.body : jsonText(mutated, random);
  const bytes = random.chance(15) ? mutateBytes(Buffer.from(text), random) : Buffer.from(text);
  const kind = random.below(10);
  if (kind === 0) return { type: 'application/yaml', body: yamlOf(text, random) };
  if (kind === 1) return { type: 'application/vnd.kubernetes.protobuf', body: protobufNoise(random) };
  if (kind === 2) return { type: 'application/cbor', body: noise(random, 30) };
  return { type: kind < 5 ? undefined : 'application/json', body: bytes };
}

/** JSON, sometimes with duplicate fields or deep nesting. */
function jsonText(value: unknown, random: SeededRandom): string {
  const text = JSON.stringify(value) ?? 'null';
  const kind = random.below(30);
  if (kind === 0) return text.replace('{', '{"metadata":{"name":"twice"},');
  if (kind === 1) return text.replace(/"[^"]*"(?=[,}])/, '['.repeat(20_000) + ']'.repeat(20_000));
  if (kind === 2) return `[${text}]`;
  return text;
}

function yamlOf(json: string, random: SeededRandom): Buffer {
  const pieces = [
    '---\n',
    '&a ',
    '*a',
    '!!binary x\n',
    'a: [',
    '? x\n',
    '<<: *a\n',
    '"',
    "'",
    '\t',
    '- - -\n',
    '#',
    '%YAML 9\n',
    '|9\n',
  ];
  const parts = Array.from({ length: random.below(4) }, () => random.pick(pieces));
  return Buffer.from(random.chance(50) ? json + parts.join('') : `${parts.join('')}${json}`);
}

function protobufNoise(random: SeededRandom): Buffer {
  const envelope = Buffer.from([
    0x6b, 0x38, 0x73, 0, 0x0a, 0x0b, 0x0a, 2, 0x76, 0x31, 0x12, 5, 0x50, 0x6f, 0x64, 0x4c, 0x69,
  ]);
  return random.chance(80)
    ? Buffer.concat([envelope, noise(random, random.below(100))])
    : mutateBytes(envelope, random);
}

const patchTypes = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
];

function randomPatch(value: object, random: SeededRandom): Body {
  const type = random.pick(patchTypes);
  const patch = patchValue(type, value, random);
  const bytes = Buffer.from(JSON.stringify(patch) ?? '');
  return { type, body: random.chance(10) ? mutateBytes(bytes, random) : bytes };
}

function patchValue(type: string, value: object, random: SeededRandom): unknown {
  if (type === 'application/json-patch+json') {
    return random.chance(10)
      ? oddValue(random)
      : Array.from({ length: random.below(5) }, () => operation(value, random));
  }
  const mutated = mutateValue(value, random);
  if (type === 'application/strategic-merge-patch+json') addDirective(mutated, random);
  return mutated;
}

const pointers = [
  '',
  '/',
  '/-',
  '/metadata/labels/x',
  '/metadata/~',
  '/metadata/~2',
  '/a/b/c',
  '/0',
  '//',
  '/__proto__/x',
  '/constructor',
];

function operation(value: unknown, random: SeededRandom): unknown {
  const place = () => (random.chance(60) ? pointerInto(value, random) : random.pick(pointers));
  const op = random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']);
  return mutateIf(10, { op, path: place(), from: place(), value: oddValue(random) }, random);
}

function mutateIf(percent: number, value: unknown, random: SeededRandom): unknown {
  return random.chance(percent) ? mutateValue(value, random) : value;
}

function pointerInto(value: unknown, random: SeededRandom): string {
  if (typeof value !== 'object' || value === null || random.chance(20)) return '';
  const keys = Object.keys(value);
  if (keys.length === 0) return '/-';
  const key = random.pick(keys);
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${pointerInto((value as Record<string, unknown>)[key], random)}`;
}

const directives: readonly [string, unknown][] = [
  ['$patch', 'replace'],
  ['$patch', 'delete'],
  ['$patch', 'merge'],
  ['$patch', 'x'],
  ['$patch', 1],
  ['$retainKeys', ['name', 'x']],
  ['$retainKeys', 1],
  ['$setElementOrder/containers', [{ name: 'x' }]],
  ['$setElementOrder/finalizers', ['x', 1]],
  ['$deleteFromPrimitiveList/finalizers', ['x']],
  ['$deleteFromPrimitiveList/x', null],
];

/** Inserts a strategic merge directive somewhere into the patch. */
function addDirective(value: unknown, random: SeededRandom): void {
  if (typeof value !== 'object' || value === null) return;
  const children = Object.values(value).filter((child) => typeof child === 'object' && child !== null);
  if (children.length > 0 && random.chance(70)) {
    addDirective(random.pick(children), random);
    return;
  }
  if (Array.isArray(value)) {
    value.push({ [random.pick(directives)[0]]: 'delete', name: 'x' });
    return;
  }
  const [name, content] = random.pick(directives);
  (value as Record<string, unknown>)[name] = content;
}
