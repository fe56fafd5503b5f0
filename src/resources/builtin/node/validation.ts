// Validation of RuntimeClasses.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { validateLabels } from '../../../api/metadata-validation.ts';
import { labelFaults } from '../../../api/names.ts';
import { overItems } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateImmutableText } from '../../validation/field-rules.ts';
import { inGoForm, TOLERATION } from '../../validation/go-form.ts';
import { validateContainerResourceName, validateResourceAmount } from '../../validation/quantities.ts';
import { sortedEntries } from '../../value.ts';
import { deprecatedNodeLabel } from '../core/pod/node-term-warnings.ts';
import type { Toleration } from '../core/pod/scheduling-objects.ts';
import { validateTolerations } from '../core/pod/validation-scheduling.ts';
import type { RuntimeClass, Scheduling } from './v1-objects.ts';

function validateRuntimeClass(runtimeClass: RuntimeClass, rules: StrategyContext): FieldError[] {
  const handler = runtimeClass.handler ?? '';
  const overhead = overItems(sortedEntries(runtimeClass.overhead?.podFixed), ([name, amount]) => {
    // Overhead is validated like a container's limits, with their paths.
    const field = `overhead.limits[${name}]`;
    return [...validateContainerResourceName(name, field), ...validateResourceAmount(name, String(amount), field)];
  });
  return [
    ...(handler === '' && isSince(rules, 36)
      ? [fieldError.required('handler')]
      : faultErrors(labelFaults(handler), handler, 'handler')),
    ...overhead,
    ...validateScheduling(runtimeClass.scheduling, rules),
  ];
}

function validateScheduling(scheduling: Scheduling | undefined, rules: StrategyContext): FieldError[] {
  const tolerations = scheduling?.tolerations ?? [];
  const here = 'scheduling.tolerations';
  const known = new Set<string>();
  const repeated = tolerations.flatMap((toleration, index) => {
    // The duration of a toleration does not matter.
    const said = stringifyJson({ ...toleration, tolerationSeconds: undefined });
    if (known.has(said)) return [fieldError.duplicate(`${here}[${index}]`, inGoForm(toleration, TOLERATION))];
    known.add(said);
    return [];
  });
  return [
    ...validateLabels(scheduling?.nodeSelector as Record<string, string> | undefined, 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations as Toleration[], `${here}.tolerations`, rules),
    ...repeated,
  ];
}

export const runtimeClassRules: KindRules<RuntimeClass> = {
  anyFinalizer: true,
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateRuntimeClass,
  validateUpdate: (next, previous) => validateImmutableText(next['handler'], previous['handler'], 'handler'),
  warnings: ({ scheduling }, _previous, context) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
      const deprecation = deprecatedNodeLabel(label, context);
      return deprecation === undefined ? [] : [`scheduling.nodeSelector: ${deprecation}`];
    }),
};
