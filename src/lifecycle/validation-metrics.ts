// Metrics of validation, under kube-apiserver's names.

import type { MetricRegistry } from './metrics.ts';

export function declareValidationMetrics(registry: MetricRegistry) {
  return {
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
