// Metrics of validation, under kube-apiserver's names.

import { usualSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

/** Seconds. */

export function declareValidationMetrics(registry: MetricRegistry) {
  const expressions = (work: string, help: string) =>
    registry
      .histogram({ name: `apiserver_cel_${work}_duration_seconds`, help, stability: 'BETA' }, usualSeconds)
      .with({});
  return {
    compilation: expressions('compilation', "Seconds to compile a kind's rules and run them for the first time."),
    evaluation: expressions('evaluation', "Seconds that an object's rules took."),
    mismatches: registry.counter({
      name: 'apiserver_validation_declarative_validation_mismatch_total',
      help: 'Errors of core types that only declared rules of validation found, or only those in code.',
      stability: 'BETA',
    }),
    panics: registry.counter({
      name: 'apiserver_validation_declarative_validation_panic_total',
      help: 'Declared rules of validation that threw.',
      stability: 'BETA',
    }),
  };
}
