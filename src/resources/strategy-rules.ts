// Readers of strategies: what a rule with several forms means.

import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { GenerationRule, Strategy } from './definition.ts';

/** What a kind's generation counts in addition; undefined if nothing is peculiar to it. */
export function generationRule({ generation }: Pick<Strategy, 'generation'>): GenerationRule | undefined {
  return typeof generation === 'object' ? generation : undefined;
}

/** Whether objects of a kind have a generation. */
export function hasGeneration(
  { generation = false }: Pick<Strategy, 'generation'>,
  gateEnabled: (gate: FeatureGateName) => boolean,
): boolean {
  if (typeof generation === 'boolean') return generation;
  return generation.gate === undefined || gateEnabled(generation.gate);
}

/** Whether writes to the object keep its status, which writes to /status change. */
export function keepsStatus({ subresources }: Pick<Strategy, 'subresources'>): boolean {
  const status = subresources?.['status'];
  return status !== undefined && status.isShared !== true;
}

/** Whether a rule that may be limited to some versions holds in one. */
export function holdsIn(rule: boolean | readonly string[], version: string): boolean {
  return typeof rule === 'boolean' ? rule : rule.includes(version);
}
