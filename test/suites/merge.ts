// The test cases of structured-merge-diff, Kubernetes' library of server-side apply. They run in Go as ever, where a
// recorder (merge/record.go) writes down the schema of each case, the objects that are updated and applied by which manager,
// and what comes of them; then the schema becomes that of a custom resource, the operations become requests, and the answers
// of Keelson are compared with those of the real kube-apiserver: objects, managed fields, and conflicts word by word.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../src/api/object.ts';
import { type Answer, type Ask, answered, Comparison, CRDS, type Outcome, refusal } from './comparison.ts';

/** The library of each release. */
const MODULES = {
  '1.34': 'sigs.k8s.io/structured-merge-diff/v6@v6.3.0',
  '1.37': 'sigs.k8s.io/structured-merge-diff/v6@v6.4.2',
} as const;

export type MergeRelease = keyof typeof MODULES;

const RECORDER = join(import.meta.dirname, 'merge/record.go');
const GROUP = 'merge.example';

/** Functions of the library that the recorder wraps, and their names beneath it. */
const WRAPPED: readonly (readonly [declaration: string, renamed: string])[] = [
  ['func (s *State) UpdateObject(', 'func (s *State) updateObject('],
  ['func (s *State) ApplyObject(', 'func (s *State) applyObject('],
  ['func (cs ChangeParser) run(', 'func (cs ChangeParser) change('],
  ['func (tc TestCase) TestWithConverter(', 'func (tc TestCase) testWithConverter('],
];

interface Step {
  readonly operation: 'update' | 'apply' | 'change';
  readonly manager: string;
  readonly version: string;
  readonly force?: boolean;
  readonly object: Json;
  readonly schema?: JsonObject;
  readonly conflicts?: JsonObject;
  readonly error?: string;
  readonly live: Json;
  readonly managed: Readonly<Record<string, Json>>;
}

interface Case {
  readonly title: string;
  readonly schema: JsonObject;
  readonly without?: string;
  readonly steps: readonly Step[] | null;
}

export interface MergeOutcome extends Outcome {
  readonly cases: number;
  /** Cases of which every answer of kube-apiserver is what the library says. */
  readonly asTheLibrary: number;
  /** Cases that a server cannot have, by the reason. */
  readonly without: ReadonlyMap<string, number>;
  /** Cases in which kube-apiserver says otherwise than the library, with its first such answer. */
  readonly otherwise: readonly string[];
}

/** Compares the answers of two servers to all cases that a server can have. */
export async function compareMerges(reference: Ask, keelson: Ask, release: MergeRelease): Promise<MergeOutcome> {
  const comparison = new Merges(reference, keelson);
  for (const each of recorded(MODULES[release])) await comparison.compare(each);
  return comparison;
}

/** Runs the library's tests, in a copy of the module, with the recorder. */
function recorded(module: string): Case[] {
  const told = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' })) as JsonObject;
  const folder = mkdtempSync(join(tmpdir(), 'keelson-merge-'));
  try {
    cpSync(String(told['Dir']), folder, { recursive: true });
    execFileSync('chmod', ['-R', 'u+w', folder]);
    const state = join(folder, 'internal/fixture/state.go');
    let source = readFileSync(state, 'utf8');
    for (const [declaration, renamed] of WRAPPED) source = source.replace(declaration, renamed);
    writeFileSync(state, source);
    cpSync(RECORDER, join(folder, 'internal/fixture/record.go'));
    const env = { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' };
    const argv = ['test', '-vet=off', '-count=1', '-v', './merge'];
    return casesIn(execFileSync('go', argv, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 28 }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function casesIn(output: string): Case[] {
  const cases: Case[] = [];
  let title = '';
  for (const line of output.split('\n')) {
    if (line.startsWith('=== RUN')) title = line.replace(/^=== RUN +/, '');
    if (line.startsWith('RECORDED ')) cases.push({ ...(JSON.parse(line.slice(9)) as Case), title });
  }
  return cases;
}

interface Definition {
  readonly plural: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

class Merges extends Comparison implements MergeOutcome {
  cases = 0;
  asTheLibrary = 0;
  readonly without = new Map<string, number>();
  readonly otherwise: string[] = [];
  /** Those that several cases share. */
  readonly #shared = new Map<string, Definition | undefined>();
  #objects = 0;

  async compare({ title, schema, without, steps }: Case): Promise<void> {
    this.cases++;
    const reason = without ?? (steps === null ? 'objects that do not fit the schema' : undefined);
    if (reason !== undefined) return this.#count(reason);
    const versions = [...new Set(steps!.flatMap(({ version }) => version ?? []))].toSorted();
    const isOwn = steps!.some(({ operation }) => operation === 'change');
    const definition = await this.#defined(title, rooted(schema), versions, isOwn);
    if (definition === undefined) return this.#count('a schema that is refused');
    const path = `/apis/${GROUP}/VERSION/namespaces/default/${definition.plural}`;
    const name = `o${++this.#objects}`;
    let differs: string | undefined;
    let live: readonly [JsonObject?, JsonObject?] = [];
    for (const [index, step] of steps!.entries()) {
      const what = `${title}, step ${index + 1}`;
      if (step.operation === 'change') {
        if (!(await this.#changed(what, definition, rooted(step.schema!))))
          return this.#count('a schema that is refused');
        continue;
      }
      const content = { ...(step.object as JsonObject | null) };
      const answers = await this.both(
        `${what}: ${step.operation} by ${step.manager} of ${JSON.stringify(content)}`,
        (ask, server) =>
          sent(ask, {
            path: path.replace('VERSION', step.version),
            name,
            kind: definition.kind,
            step,
            live: live[server],
          }),
        told,
      );
      const [first] = answers;
      live = answers.map(({ status, body }, server) => (status < 300 ? body : live[server])) as [
        JsonObject,
        JsonObject,
      ];
      if (!agrees(first, step)) differs ??= `${what}: ${JSON.stringify(told(first))}`;
    }
    if (differs === undefined) this.asTheLibrary++;
    else this.otherwise.push(differs);
  }

  #count(reason: string): void {
    this.without.set(reason, (this.without.get(reason) ?? 0) + 1);
  }

  async #defined(title: string, schema: JsonObject, versions: string[], isOwn: boolean) {
    const key = JSON.stringify([schema, versions]);
    if (!isOwn && this.#shared.has(key)) return this.#shared.get(key);
    const number = ++this.#objects;
    const definition: Definition = { plural: `m${number}s`, kind: `M${number}`, versions };
    const body = definitionBody(definition, schema);
    const answers = await this.both(`${title}, the definition`, (ask) => ask('POST', CRDS, body), refusalOnly);
    const made = answers.every(({ status }) => status === 201) ? definition : undefined;
    if (!isOwn) this.#shared.set(key, made);
    if (made === undefined) return undefined;
    const path = `/apis/${GROUP}/${versions[0]}/namespaces/default/${definition.plural}`;
    for (const ask of this.servers) await answered(200, () => ask('GET', path));
    return definition;
  }

  /** Changes the schema of a definition, and waits until servers have noticed. */
  async #changed(what: string, definition: Definition, schema: JsonObject): Promise<boolean> {
    const marker = `marker${++this.#objects}`;
    const marked = { ...schema, properties: { ...(schema['properties'] as JsonObject), [marker]: { type: 'string' } } };
    const body = definitionBody(definition, marked);
    const path = `${CRDS}/${definition.plural}.${GROUP}`;
    const change = async (ask: Ask) => {
      const { metadata } = (await ask('GET', path)).body;
      return ask('PUT', path, { ...body, metadata: metadata as JsonObject });
    };
    const answers = await this.both(what, change, refusalOnly);
    if (answers.some(({ status }) => status !== 200)) return false;
    const version = definition.versions[0]!;
    const objects = `/apis/${GROUP}/${version}/namespaces/default/${definition.plural}`;
    const probe = { ...head(definition.kind, version, 'probe'), [marker]: '' };
    for (const ask of this.servers) {
      await answered(201, () => ask('POST', `${objects}?dryRun=All&fieldValidation=Strict`, probe));
    }
    return true;
  }
}

interface Sent {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly step: Step;
  /** The object as the server has it. */
  readonly live: JsonObject | undefined;
}

function sent(ask: Ask, { path, name, kind, step, live }: Sent): Promise<Answer> {
  const { version, manager, force = false, object } = step;
  const body = { ...(object as JsonObject | null), ...head(kind, version, name) };
  const query = `fieldManager=${manager}`;
  if (step.operation === 'apply') return ask('PATCH', `${path}/${name}?${query}&force=${force}`, body);
  if (live === undefined) return ask('POST', `${path}?${query}`, body);
  const { resourceVersion } = live['metadata'] as JsonObject;
  return ask('PUT', `${path}/${name}?${query}`, { ...body, metadata: { name, resourceVersion: resourceVersion! } });
}

function head(kind: string, version: string, name: string): JsonObject {
  return { apiVersion: `${GROUP}/${version}`, kind, metadata: { name } };
}

interface Managed {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly fieldsV1: Json;
  readonly time?: string;
}

function managedFields({ body }: Answer): Managed[] {
  return ((body['metadata'] as JsonObject)['managedFields'] ?? []) as unknown as Managed[];
}

/** What is compared of an answer: the object without what each server gives it, or the errors. */
function told(answer: Answer): unknown {
  if (answer.status >= 300) return refusal(answer);
  const {
    uid,
    resourceVersion,
    creationTimestamp,
    managedFields: _,
    ...metadata
  } = answer.body['metadata'] as JsonObject;
  const managed = managedFields(answer).map(({ time, ...each }) => each);
  const order = (each: Omit<Managed, 'time'>) => `${each.operation} ${each.manager} ${each.apiVersion}`;
  managed.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return [answer.status, { ...answer.body, metadata }, managed];
}

function refusalOnly(answer: Answer): unknown {
  return answer.status < 300 ? answer.status : refusal(answer);
}

/** Whether an answer is what the library says. */
function agrees(answer: Answer, { conflicts, error, live, managed }: Step): boolean {
  if (answer.status >= 300) return answer.status === 409 ? conflicts !== undefined : error !== undefined;
  if (conflicts !== undefined || error !== undefined) return false;
  const { apiVersion, kind, metadata, ...content } = answer.body;
  const found = Object.fromEntries(managedFields(answer).map(({ manager, fieldsV1 }) => [manager, fieldsV1]));
  return isDeepStrictEqual(content, live ?? {}) && isDeepStrictEqual(found, managed);
}

/** Objects are objects, also where the library deduces what they are. */
function rooted(schema: JsonObject): JsonObject {
  return { ...schema, type: 'object' };
}

function definitionBody({ plural, kind, versions }: Definition, openAPIV3Schema: JsonObject): JsonObject {
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      ...{ group: GROUP, scope: 'Namespaced', names: { plural, singular: kind.toLowerCase(), kind } },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema },
      })),
    },
  };
}
