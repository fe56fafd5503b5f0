// The rules of runtime classes.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { validateLabels } from '../../../api/metadata-validation.ts';
import { labelFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { faultErrors, validateImmutableText } from '../../validation/field-rules.ts';
import { validateContainerResourceName, validateResourceAmount } from '../../validation/quantities.ts';
import { at, entriesAt, listAt, textAt } from '../../value.ts';
import type { TolerationShape } from '../core/pod/shape.ts';
import { validateTolerations } from '../core/pod/validation-scheduling.ts';

function validateRuntimeClass(runtimeClass: ApiObject): FieldError[] {
  const handler = textAt(runtimeClass, 'handler');
  const overhead = entriesAt(runtimeClass, 'overhead', 'podFixed').flatMap(([name, amount]) => {
    // What a pod takes besides is checked, and named, as a container's limits.
    const field = `overhead.limits[${name}]`;
    return [...validateContainerResourceName(name, field), ...validateResourceAmount(name, String(amount), field)];
  });
  return [
    ...faultErrors(labelFaults(handler), handler, 'handler'),
    ...overhead,
    ...validateScheduling(at(runtimeClass, 'scheduling')),
  ];
}

function validateScheduling(scheduling: Json | undefined): FieldError[] {
  const tolerations = listAt(scheduling, 'tolerations');
  const here = 'scheduling.tolerations';
  const known = new Set<string>();
  const repeated = tolerations.flatMap((toleration, index) => {
    const said = stringifyJson(toleration);
    if (known.has(said)) return [fieldError.duplicate(`${here}[${index}]`, toleration)];
    known.add(said);
    return [];
  });
  return [
    ...validateLabels(at(scheduling, 'nodeSelector') as Record<string, string> | undefined, 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations as TolerationShape[], `${here}.tolerations`),
    ...repeated,
  ];
}

export const runtimeClassRules: Partial<Behaviour> = {
  anyFinalizer: true,
  updateChecks: ['metadata', 'content', 'metadataChange', 'change'],
  validate: validateRuntimeClass,
  validateUpdate: (next, previous) => validateImmutableText(next['handler'], previous['handler'], 'handler'),
};
