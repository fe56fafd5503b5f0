// Combination of a policy with a request: the bindings that apply, the matched version of the request, and the
// parameters. Shared by validating and mutating policies.

import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import type { Attributes, RequestTarget } from './attributes.ts';
import { matchResources } from './match-resources.ts';
import { ConfigurationError, type ParameterKind, parameterKind, parameters } from './parameters.ts';
import type { AdmissionPolicy } from './policy.ts';
import type { BoundPolicy } from './policy-index.ts';

export type Engagement =
  | {
      readonly binding: ApiObject;
      readonly target: RequestTarget;
      /** One or more objects, in order; null without parameters. */
      readonly params: readonly (ApiObject | null)[];
      readonly fault?: undefined;
    }
  | {
      /** Undefined if the policy itself cannot be evaluated. */
      readonly binding: ApiObject | undefined;
      /** Why it cannot be evaluated as configured. */
      readonly fault: string;
    };

interface EngagementNeeds {
  readonly objects: ObjectLookup;
  readonly catalog: Catalog;
}

/**
 * The combinations of a policy with a request; empty if it does not match. @throws ApiError 404 without the namespace
 */
export async function engagements(
  { policy, bindings }: BoundPolicy<AdmissionPolicy>,
  attributes: Attributes,
  { objects, catalog }: EngagementNeeds,
): Promise<Engagement[]> {
  const spec = policy.spec as JsonObject | undefined;
  const target = await matchResources(spec?.['matchConstraints'], attributes, objects);
  if (target === undefined) return [];
  let kind: ParameterKind | undefined;
  try {
    kind = parameterKind(policy.spec, catalog);
  } catch (error) {
    return [{ binding: undefined, fault: faultText(error, 'policy') }];
  }
  const found: Engagement[] = [];
  for (const binding of bindings) {
    const own = binding['spec'] as JsonObject | undefined;
    if ((await matchResources(own?.['matchResources'], attributes, objects)) === undefined) continue;
    found.push(await engaged(binding, { target, kind, reference: own?.['paramRef'] }, objects));
  }
  return found;
}

interface Choice {
  readonly target: RequestTarget;
  readonly kind: ParameterKind | undefined;
  /** `paramRef` of the binding. */
  readonly reference: Json | undefined;
}

async function engaged(binding: ApiObject, { target, ...choice }: Choice, objects: ObjectLookup): Promise<Engagement> {
  try {
    return { binding, target, params: await parameters({ ...choice, namespace: target.namespace }, objects) };
  } catch (error) {
    return { binding, fault: faultText(error, 'binding') };
  }
}

/** @throws errors that are not configuration errors */
function faultText(error: unknown, what: 'policy' | 'binding'): string {
  if (!(error instanceof ConfigurationError)) throw error;
  return `failed to configure ${what}: ${error.message}`;
}
