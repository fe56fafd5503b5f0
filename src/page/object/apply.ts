// Server-side apply of part of an object with the console's own field manager. A dry run comes first, and each conflict
// with another manager is resolved, by leaving or taking over the field, before anything is written.

import { signal } from '@preact/signals';
import { askJson, ClusterError } from '../cluster/cluster-api.ts';
import { type Problem, type Proposal, problemOf } from './edit.ts';
import { fieldPath, withoutPath } from './field-path.ts';
import type { ApiObject, LiveObject } from './live-object.ts';
import { ownedPart } from './ownership.ts';
import { parseYaml, toYaml } from './yaml-text.ts';

/** The console's field manager. */
export const FIELD_MANAGER = 'keelson-console';

export type Decision = 'leave' | 'take';

/** A field that another manager owns with a different value. */
export interface FieldConflict {
  /** As the server writes it: `.spec.replicas`. */
  readonly field: string;
  /** The owner, as the server describes it. */
  readonly owners: readonly string[];
  readonly decision: Decision | undefined;
}

/** The configuration to be applied. */
interface Application extends Proposal {
  readonly force: boolean;
}

export class Apply {
  readonly text = signal('');
  readonly problem = signal<Problem | undefined>(undefined);
  readonly conflicts = signal<readonly FieldConflict[]>([]);
  readonly proposal = signal<Application | undefined>(undefined);
  readonly #live: LiveObject;

  constructor(live: LiveObject) {
    this.#live = live;
    this.begin();
  }

  /** Starts with what the console applied before; the first time, with the object's names alone. */
  begin(): void {
    const current = this.#live.object.value;
    this.problem.value = undefined;
    this.conflicts.value = [];
    this.proposal.value = undefined;
    if (current !== undefined) this.text.value = toYaml(appliedPart(current));
  }

  /** Changes the text and discards the decisions on conflicts, which were made for the previous text. */
  edit(text: string): void {
    this.text.value = text;
    this.conflicts.value = [];
    this.problem.value = undefined;
  }

  decide(field: string, decision: Decision): void {
    this.conflicts.value = this.conflicts.value.map((one) => (one.field === field ? { ...one, decision } : one));
  }

  /** Whether a conflict is still undecided. */
  get isUndecided(): boolean {
    return this.conflicts.value.some(({ decision }) => decision === undefined);
  }

  /** Sends a dry run; the result is a proposal, conflicts to decide on, or a problem. */
  async review(): Promise<void> {
    this.problem.value = undefined;
    const { faults, value } = parseYaml(this.text.value);
    const [fault] = faults;
    if (fault !== undefined) {
      this.problem.value = { kind: 'refused', message: fault.message, causes: [] };
      return;
    }
    const force = this.conflicts.value.some(({ decision }) => decision === 'take');
    const edited = this.#decided(value as ApiObject, force);
    await this.#orProblem(async () => {
      const outcome = await this.#send({ edited, force }, 'dryRun=All&');
      this.proposal.value = { edited, outcome, force };
      this.conflicts.value = [];
    });
  }

  /** Applies the reviewed proposal, which stays on screen until the server has responded. */
  async write(): Promise<void> {
    const proposal = this.proposal.value;
    if (proposal === undefined) return;
    await this.#orProblem(async () => {
      this.#live.take(await this.#send(proposal, ''));
      this.begin();
    });
    this.proposal.value = undefined;
  }

  /**
   * Omits the fields that are left to their owners. Force applies to every field, so the request is bound to the
   * version whose owners were shown.
   */
  #decided(object: ApiObject, force: boolean): ApiObject {
    let left: unknown = object;
    for (const { field, decision } of this.conflicts.value) {
      const path = decision === 'leave' ? fieldPath(field, left) : undefined;
      if (path !== undefined) left = withoutPath(left, path);
    }
    if (!force) return left as ApiObject;
    const resourceVersion = this.#live.object.value?.metadata.resourceVersion ?? '';
    return { ...(left as ApiObject), metadata: { ...(left as ApiObject).metadata, resourceVersion } };
  }

  #send({ edited, force }: { edited: ApiObject; force: boolean }, dryRun: string): Promise<ApiObject> {
    const query = `${dryRun}fieldManager=${FIELD_MANAGER}&fieldValidation=Strict&force=${force}`;
    const contentType = 'application/apply-patch+yaml';
    return askJson<ApiObject>(`${this.#live.path}?${query}`, { method: 'PATCH', contentType, body: edited });
  }

  async #orProblem(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const conflicts = error instanceof ClusterError ? conflictsOf(error) : [];
      const decided = new Map(this.conflicts.value.map(({ field, decision }) => [field, decision]));
      this.conflicts.value = conflicts.map((one) => ({ ...one, decision: decided.get(one.field) }));
      if (conflicts.length === 0) this.problem.value = problemOf(error as Error);
    }
  }
}

/** Returns the conflicts listed in an error, by field. */
function conflictsOf({ code, status }: Pick<ClusterError, 'code' | 'status'>): FieldConflict[] {
  const details = status?.['details'] as { causes?: readonly Cause[] } | undefined;
  const causes = (details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  if (code !== 409) return [];
  const byField = Map.groupBy(causes, ({ field = '' }) => field);
  return [...byField].map(([field, found]) => ({
    field,
    owners: found.map(({ message = '' }) => message.replace(/^conflict with /, '')),
    decision: undefined,
  }));
}

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

function appliedPart(object: ApiObject): unknown {
  const { apiVersion, kind, metadata } = object;
  const mine = metadata.managedFields?.find(
    ({ manager, operation, subresource = '' }) =>
      manager === FIELD_MANAGER && operation === 'Apply' && subresource === '',
  );
  const names = { name: metadata.name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) };
  const part = mine?.fieldsV1 === undefined ? {} : (ownedPart(object, mine.fieldsV1) as Partial<ApiObject>);
  return { apiVersion, kind, ...part, metadata: { ...names, ...part.metadata } };
}
