// Creation of objects from YAML documents. Each is tried with a dry run before any is created.

import { signal } from '@preact/signals';
import { askJson, ClusterError } from '../cluster/cluster-api.ts';
import { type Resource, resourceOfKind, resourcePath } from '../cluster/discovery.ts';
import type { ApiObject } from './live-object.ts';
import { documentsOf, parseYaml, toYaml } from './yaml-text.ts';

/** The result for one document. */
export interface Created {
  /** `Deployment web` */
  readonly title: string;
  readonly resource: Resource | undefined;
  /** The object as the server stored it, or would store it. */
  readonly outcome: ApiObject | undefined;
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
  readonly #namespace: string;

  /** @param namespace for objects that do not specify one */
  constructor(text: string, namespace: string) {
    this.text.value = text;
    this.#namespace = namespace;
  }

  /** Runs a dry run of every document. */
  async review(): Promise<void> {
    const wanted = this.#read();
    if (wanted === undefined) return;
    const made = wanted.filter(({ object }) => object.kind === 'Namespace').map(({ object }) => object.metadata.name);
    const tried: Created[] = [];
    for (const one of wanted) {
      const result = await post(one, 'dryRun=All&');
      const isLater = result.code === 404 && made.includes(one.namespace ?? '');
      tried.push({ ...result, isLater });
    }
    this.tried.value = tried;
  }

  /** Creates the objects that the dry run accepted, in document order, and stops at the first rejection. */
  async create(): Promise<void> {
    for (const [at, one] of (this.#read() ?? []).entries()) {
      const before = this.tried.value?.[at];
      if (before?.outcome === undefined && before?.isLater !== true) continue;
      const result = await post(one, '');
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

async function post(
  { object, resource, namespace }: Wanted,
  dryRun: string,
): Promise<Omit<Created, 'isLater'> & { code: number }> {
  const { metadata, kind, apiVersion } = object;
  const title = `${kind} ${metadata?.name ?? (metadata as { generateName?: string } | undefined)?.generateName ?? ''}`;
  if (resource === undefined) {
    return {
      title,
      resource,
      outcome: undefined,
      code: 0,
      message: `the cluster does not serve ${apiVersion} ${kind}`,
    };
  }
  try {
    const query = `${dryRun}fieldValidation=Strict`;
    const path = `${resourcePath(resource, namespace)}?${query}`;
    const outcome = await askJson<ApiObject>(path, { method: 'POST', body: object });
    return { title, resource, outcome, code: 201, message: '' };
  } catch (error) {
    const code = error instanceof ClusterError ? error.code : 0;
    return { title, resource, outcome: undefined, code, message: (error as Error).message };
  }
}

/** Returns the template for a new object of a kind. */
export function skeleton(apiVersion: string, kind: string, namespace: string | undefined): string {
  return toYaml({ apiVersion, kind, metadata: { name: '', ...(namespace !== undefined && { namespace }) } });
}
