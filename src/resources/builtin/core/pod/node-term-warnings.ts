// Warnings for node selector terms of pods and PersistentVolumes.

import { labelValueFaults } from '../../../../api/names.ts';
import { lookup } from '../../../../base/lookup.ts';
import type { NodeSelectorTerm } from '../../../validation/selectors.ts';

/** Deprecated node labels and their replacements. */
export const NODE_LABELS: Readonly<Record<string, string>> = lookup({
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
});

/** @param values whether invalid label values cause warnings, where they are allowed */
export function nodeTermWarnings(term: NodeSelectorTerm, values: boolean, field: string): string[] {
  const found: string[] = [];
  for (const [index, expression] of (term.matchExpressions ?? []).entries()) {
    const { key = '' } = expression;
    const here = `${field}.matchExpressions[${index}]`;
    if (Object.hasOwn(NODE_LABELS, key)) found.push(`${here}.key: ${key} is ${NODE_LABELS[key]}`);
    if (!values) continue;
    for (const [at, value] of (expression.values ?? []).entries()) {
      for (const each of labelValueFaults(value)) found.push(`${here}.values[${at}]: ${value} is invalid, ${each}`);
    }
  }
  return found;
}
