// An edit of an object: started from one version, tried with a dry run, rebased onto concurrent changes, and written.

import { signal } from '@preact/signals';
import { askJson, ClusterError } from '../cluster/cluster-api.ts';
import type { ApiObject, LiveObject } from './live-object.ts';
import { applyMergePatch, type Json, mergePatch, overlaps } from './merge.ts';
import { parseYaml, toYaml } from './yaml-text.ts';

/** The object about to be written, and the result of the server's dry run. */
export interface Proposal {
  readonly edited: ApiObject;
  readonly outcome: ApiObject;
}

export interface Problem {
  readonly kind: 'refused' | 'conflict';
  readonly message: string;
  readonly causes: readonly string[];
}

export class Edit {
  /** Undefined if nothing is being edited. */
  readonly text = signal<string | undefined>(undefined);
  readonly problem = signal<Problem | undefined>(undefined);
  readonly proposal = signal<Proposal | undefined>(undefined);
  readonly #opened = signal<ApiObject | undefined>(undefined);
  readonly #live: LiveObject;

  constructor(live: LiveObject) {
    this.#live = live;
  }

  begin(): void {
    const current = this.#live.object.value;
    if (current === undefined) return;
    this.#opened.value = withoutManagedFields(current);
    this.text.value = toYaml(this.#opened.value);
  }

  discard(): void {
    this.text.value = undefined;
    this.problem.value = undefined;
    this.proposal.value = undefined;
  }

  /** Whether the object was changed by someone else since the edit started. */
  get isOvertaken(): boolean {
    const opened = this.#opened.value;
    return (
      opened !== undefined && opened.metadata.resourceVersion !== this.#live.object.value?.metadata.resourceVersion
    );
  }

  /** Sends a dry run; the result is a proposal or a problem. */
  async review(): Promise<void> {
    this.problem.value = undefined;
    const { faults, value } = parseYaml(this.text.value ?? '');
    const [fault] = faults;
    if (fault !== undefined) {
      this.problem.value = { kind: 'refused', message: fault.message, causes: [] };
      return;
    }
    const edited = value as ApiObject;
    await this.#orProblem(async () => {
      const path = `${this.#live.path}?dryRun=All&fieldValidation=Strict`;
      this.proposal.value = { edited, outcome: await askJson<ApiObject>(path, { method: 'PUT', body: edited }) };
    });
  }

  /** Writes the reviewed proposal. */
  async write(): Promise<void> {
    const proposal = this.proposal.value;
    if (proposal === undefined) return;
    await this.#orProblem(async () => {
      const path = `${this.#live.path}?fieldValidation=Strict`;
      this.#live.take(await askJson<ApiObject>(path, { method: 'PUT', body: proposal.edited }));
      this.text.value = undefined;
    });
    this.proposal.value = undefined;
  }

  /** Returns the paths changed both by this edit and by others since it started. */
  overlaps(): string[] {
    return overlaps(this.#mine(), this.#theirs()).filter((path) => path !== '.metadata.resourceVersion');
  }

  /** Rebases this edit onto the newest version; where both changed a field, this edit's value wins. */
  carryOver(): void {
    const current = this.#live.object.value;
    if (current === undefined) return;
    const latest = withoutManagedFields(current);
    const merged = applyMergePatch(asJson(latest), this.#mine()) as unknown as ApiObject;
    const { resourceVersion } = latest.metadata;
    this.text.value = toYaml({ ...merged, metadata: { ...merged.metadata, resourceVersion } });
    this.#opened.value = latest;
    this.problem.value = undefined;
  }

  #mine(): Json | undefined {
    return mergePatch(asJson(this.#opened.value), asJson(parseYaml(this.text.value ?? '').value));
  }

  #theirs(): Json | undefined {
    const current = this.#live.object.value;
    return current && mergePatch(asJson(this.#opened.value), asJson(withoutManagedFields(current)));
  }

  async #orProblem(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.problem.value = problemOf(error as Error);
    }
  }
}

/** The object without managedFields, which has a view of its own. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Returns the text of an error for a notice. */
export function problemOf(error: Error): Problem {
  const { message } = error;
  if (!(error instanceof ClusterError)) return { kind: 'refused', message, causes: [] };
  const details = error.status?.['details'] as { causes?: readonly { field?: string; message?: string }[] } | undefined;
  const causes = (details?.causes ?? []).map(({ field = '', message: text = '' }) => `${field}: ${text}`);
  return { kind: error.code === 409 ? 'conflict' : 'refused', message, causes };
}

function asJson(value: unknown): Json | undefined {
  return value as Json | undefined;
}
