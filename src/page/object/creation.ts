// Objects from YAML documents: created, or applied if they exist already. Each is tried with a dry run before any is
// written.

import { signal } from '@preact/signals';
import { askJson, type ClusterError } from '../cluster/cluster-api.ts';
import { type Resource, resourceOfKind, resourcePath } from '../cluster/discovery.ts';
import { FIELD_MANAGER } from './apply.ts';
import type { ApiObject } from './live-object.ts';
import { documentsOf, parseYaml, toYaml } from './yaml-text.ts';

/** The result for one document. */
export interface Created {
  /** `Deployment web` */
  readonly title: string;
  readonly resource: Resource | undefined;
  /** The object as the server stored it, or would store it. */
  readonly outcome: ApiObject | undefined;
  /** The object as it was, if it existed. */
  readonly existing: ApiObject | undefined;
  /** Whether an apply was rejected because of fields of other managers. */
  readonly isConflict: boolean;
  /** Why it was rejected. */
  readonly message: string;
  /** Whether its namespace is created by an earlier document, so that a dry run is not possible yet. */
  readonly isLater: boolean;
}

interface Wanted {
  readonly object: ApiObject;
  readonly resource: Resource | undefined;
  readonly namespace: string | undefined;
}

export class Creation {
  readonly text = signal('');
  readonly fault = signal('');
  /** The dry run's result for each document; undefined before it has run. */
  readonly tried = signal<readonly Created[] | undefined>(undefined);
  readonly created = signal<readonly Created[]>([]);
  /** Whether an apply takes over fields of other managers. */
  readonly force = signal(false);
  /** The text to begin with, as long as nobody has edited it. */
  #template: string;
  readonly #namespace: string;

  /** @param namespace for objects that do not specify one */
  constructor(text: string, namespace: string) {
    this.text.value = text;
    this.#template = text;
    this.#namespace = namespace;
  }

  /** Begins with another text, unless the first one was edited. */
  beginWith(text: string): void {
    if (this.text.value !== this.#template) return;
    this.#template = text;
    this.text.value = text;
  }

  /** Adds documents to what is there; they take the place of a text that nobody has edited. */
  add(documents: string): void {
    const text = this.text.value;
    this.text.value = text === this.#template ? documents : `${text.trimEnd()}\n---\n${documents}`;
    this.tried.value = undefined;
  }

  /** Runs a dry run of every document. */
  async review(): Promise<void> {
    const wanted = this.#read();
    if (wanted === undefined) return;
    const made = wanted.filter(({ object }) => object.kind === 'Namespace').map(({ object }) => object.metadata.name);
    const tried: Created[] = [];
    for (const one of wanted) {
      const result = await attempt(one, { dryRun: 'dryRun=All&', force: this.force.value });
      const isLater = result.code === 404 && made.includes(one.namespace ?? '');
      tried.push({ ...result, isLater });
    }
    this.tried.value = tried;
  }

  /** Writes the objects that the dry run accepted, in document order, and stops at the first rejection. */
  async create(): Promise<void> {
    for (const [at, one] of (this.#read() ?? []).entries()) {
      const before = this.tried.value?.[at];
      if (before?.outcome === undefined && before?.isLater !== true) continue;
      const result = await attempt(one, { dryRun: '', force: this.force.value });
      this.created.value = [...this.created.value, { ...result, isLater: false }];
      if (result.outcome === undefined) break;
    }
    this.tried.value = undefined;
  }

  #read(): Wanted[] | undefined {
    this.fault.value = '';
    const wanted: Wanted[] = [];
    for (const { text } of documentsOf(this.text.value)) {
      const { faults, value } = parseYaml(text);
      const object = value as ApiObject | null | undefined;
      if (faults.length > 0) return this.#refuse(faults[0]!.message);
      if (object === null || object === undefined) continue;
      if (typeof object !== 'object' || typeof object.kind !== 'string' || typeof object.apiVersion !== 'string') {
        return this.#refuse('every document needs an apiVersion and a kind');
      }
      const resource = resourceOfKind(object.apiVersion, object.kind);
      const namespace = resource?.namespaced === true ? (object.metadata?.namespace ?? this.#namespace) : undefined;
      wanted.push({ object, resource, namespace });
    }
    return wanted.length === 0 ? this.#refuse('there is nothing to create') : wanted;
  }

  #refuse(message: string): undefined {
    this.fault.value = message;
  }
}

interface Attempt {
  /** `dryRun=All&`, or '' to write. */
  readonly dryRun: string;
  /** Whether fields of other managers are taken over. */
  readonly force: boolean;
}

type Result = Omit<Created, 'isLater'> & { readonly code: number };

/** Creates an object; one that exists already is changed by a server-side apply. */
async function attempt({ object, resource, namespace }: Wanted, { dryRun, force }: Attempt): Promise<Result> {
  const { metadata, kind, apiVersion } = object;
  const name = metadata?.name ?? '';
  const generated = (metadata as { generateName?: string } | undefined)?.generateName ?? '';
  const refused = {
    title: `${kind} ${name || generated}`,
    resource,
    outcome: undefined,
    existing: undefined,
    isConflict: false,
    code: 0,
  };
  if (resource === undefined) return { ...refused, message: `the cluster does not serve ${apiVersion} ${kind}` };
  const query = `${dryRun}fieldManager=${FIELD_MANAGER}&fieldValidation=Strict`;
  const done = { ...refused, message: '' };
  try {
    const path = `${resourcePath(resource, namespace)}?${query}`;
    return { ...done, outcome: await askJson<ApiObject>(path, { method: 'POST', body: object }), code: 201 };
  } catch (error) {
    const { code = 0, status } = error as Partial<ClusterError>;
    if (status?.['reason'] !== 'AlreadyExists') return { ...refused, code, message: (error as Error).message };
  }
  try {
    const path = resourcePath(resource, namespace, name);
    const existing = await askJson<ApiObject>(path);
    const contentType = 'application/apply-patch+yaml';
    const change = { method: 'PATCH', contentType, body: object };
    return {
      ...done,
      existing,
      outcome: await askJson<ApiObject>(`${path}?${query}&force=${force}`, change),
      code: 200,
    };
  } catch (error) {
    const { code = 0, message } = error as Error & { code?: number };
    return { ...refused, code, message, isConflict: code === 409 };
  }
}

/** Returns the template for a new object of a kind. */
export function skeleton(apiVersion: string, kind: string, namespace: string | undefined): string {
  return toYaml({ apiVersion, kind, metadata: { name: '', ...(namespace !== undefined && { namespace }) } });
}
