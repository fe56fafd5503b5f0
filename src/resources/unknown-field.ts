// Errors for field selectors with a field that is not selectable.

import { apiVersionOf } from '../api/group-version.ts';
import type { ResourceDefinition } from './definition.ts';

/** The error message, in the form of the kind; `version` is the requested one. */
export function unknownFieldMessage(definition: ResourceDefinition, version: string, field: string): string {
  const { group, kind, strategy } = definition;
  switch (strategy.selection?.refusal) {
    case undefined:
      return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
    case 'notSupported':
      return `field label not supported: ${field}`;
    case 'notSupportedByKind':
      return `field label not supported for ${apiVersionOf({ group, version })}, Kind=${kind}: ${field}`;
    case 'notSupportedForKind':
      return `field label ${JSON.stringify(field)} not supported for ${kind}`;
  }
}
