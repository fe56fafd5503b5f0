// Namespaces that the terms of an incoming pod are about: those that a namespace selector matches are looked up once, so
// that comparing pods needs their names alone.

import { type Labels, NO_LABELS } from '../../api/label-selector.ts';
import type { AffinityTerm } from './pod-info.ts';

/** The labels of existing namespaces. */
export interface NamespaceLabels {
  get(name: string): Labels;
  entries(): Iterable<readonly [name: string, labels: Labels]>;
}

/** The term with the names of all namespaces that it is about. */
export function withNamespaces(term: AffinityTerm, namespaces: NamespaceLabels): AffinityTerm {
  const { namespaceSelector } = term;
  // One that matches everything needs no names.
  if (namespaceSelector === NO_LABELS || namespaceSelector.empty) return term;
  const names = new Set(term.namespaces);
  for (const [name, labels] of namespaces.entries()) if (namespaceSelector.matches(labels)) names.add(name);
  return { ...term, namespaces: names, namespaceSelector: NO_LABELS };
}
