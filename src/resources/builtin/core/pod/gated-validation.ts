// Validation of updates to a pod with scheduling gates: node selection may become stricter, never less strict.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { inGoForm, NODE_SELECTOR_TERM } from '../../../validation/go-form.ts';
import type { Affinity, NodeSelectorTerm } from './scheduling-objects.ts';

type Labels = Readonly<Record<string, string>>;
type NodeAffinity = Affinity['nodeAffinity'];

export function validateNodeSelectorNarrows(next: Labels = {}, previous: Labels = {}, field: string): FieldError[] {
  if (Object.entries(previous).every(([label, value]) => ownMember(next, label) === value)) return [];
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [fieldError.invalid(field, next, why)];
}

/** The number of terms is fixed, and each may add requirements. */
export function validateNodeAffinityNarrows(next: NodeAffinity, previous: NodeAffinity, field: string): FieldError[] {
  const old = previous?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (old.length === 0) return [];
  const given = next?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const terms = given ?? [];
  const here = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  if (terms.length !== old.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    const said = given?.map((term) => inGoForm(term, NODE_SELECTOR_TERM)) ?? null;
    return [fieldError.invalid(here, said, why)];
  }
  return terms.flatMap((term, index) => {
    if (onlyAdds(term, old[index] ?? {})) return [];
    const why = 'only additions are allowed (no mutations or deletions)';
    return [fieldError.invalid(`${here}[${index}]`, inGoForm(term, NODE_SELECTOR_TERM), why)];
  });
}

/** An empty term matches no node, so any requirement would widen it. */
function onlyAdds(next: NodeSelectorTerm, previous: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => (previous[list] ?? []).length === 0)) {
    return lists.every((list) => (next[list] ?? []).length === 0);
  }
  return lists.every((list) => {
    const old = previous[list] ?? [];
    return equalJson((next[list] ?? []).slice(0, old.length), old);
  });
}
