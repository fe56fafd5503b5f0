// Metrics of validation, with kube-apiserver's names.

import { usualSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

/** Seconds. */

export function declareValidationMetrics(registry: MetricRegistry) {
  const expressions = (work: string, help: string) =>
    registry
      .histogram({ name: `apiserver_cel_${work}_duration_seconds`, help, stability: 'BETA' }, usualSeconds)
      .with({});
  return {
    compilation: expressions('compilation', 'CEL compilation time in seconds.'),
    evaluation: expressions('evaluation', 'CEL evaluation time in seconds.'),
    mismatches: registry.counter({
      name: 'apiserver_validation_declarative_validation_mismatch_total',
      help: 'Number of times declarative validation results differed from handwritten validation results for core types.',
      stability: 'BETA',
    }),
    panics: registry.counter({
      name: 'apiserver_validation_declarative_validation_panic_total',
      help: 'Number of times declarative validation has panicked during validation.',
      stability: 'BETA',
    }),
  };
}
