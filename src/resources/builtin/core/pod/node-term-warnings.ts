// Warnings for node selector terms of pods and PersistentVolumes.

import { labelValueFaults } from '../../../../api/names.ts';
import { lookup } from '../../../../base/lookup.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { NodeSelectorTerm } from '../../../validation/selectors.ts';

/** Deprecated node labels and their replacements. */
const NODE_LABELS: Readonly<Record<string, string>> = lookup({
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
});

/** Those that 1.31 added. */
const LATER_LABELS: Readonly<Record<string, string>> = lookup({
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
});

interface Release {
  readonly minor?: number;
}

/** The warning of a release about a deprecated label of nodes; undefined for any other label. */
export function deprecatedNodeLabel(label: string, release: Release): string | undefined {
  return NODE_LABELS[label] ?? (isSince(release, 31) ? LATER_LABELS[label] : undefined);
}

interface Telling extends Release {
  /** Whether invalid label values cause warnings, where they are allowed. */
  readonly values: boolean;
}

export function nodeTermWarnings(term: NodeSelectorTerm, telling: Telling, field: string): string[] {
  const found: string[] = [];
  for (const [index, expression] of (term.matchExpressions ?? []).entries()) {
    const { key = '' } = expression;
    const here = `${field}.matchExpressions[${index}]`;
    const deprecation = deprecatedNodeLabel(key, telling);
    if (deprecation !== undefined) found.push(`${here}.key: ${key} is ${deprecation}`);
    if (!telling.values) continue;
    for (const [at, value] of (expression.values ?? []).entries()) {
      for (const each of labelValueFaults(value)) found.push(`${here}.values[${at}]: ${value} is invalid, ${each}`);
    }
  }
  return found;
}
