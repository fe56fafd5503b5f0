// Validation of objects to be stored: which rules apply, and the order of their errors. Metadata is validated alike for
// all kinds; then come the kind's own rules for metadata and for the rest.

import type { FieldErrors } from '../api/errors.ts';
import { validateFinalizerDomains, validateObjectMeta, validateObjectMetaUpdate } from '../api/metadata-validation.ts';
import type { ApiObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { joined, NONE } from '../base/findings.ts';
import { isSince } from '../lifecycle/version.ts';
import {
  type Checks,
  defaultUpdateChecks,
  type ResourceDefinition,
  type StrategyContext,
  type UpdateCheck,
} from '../resources/definition.ts';
import { optsIn, withDeclaredRules } from '../resources/validation/declarative-validation.ts';
import { withoutKept } from '../resources/validation/kept-faults.ts';
import { withEmptyMembers } from './empty-members.ts';
import type { Write } from './write.ts';

const path = 'metadata';

/** The first minor release whose errors name the index of the owner reference. */
const OWNERS_ARE_TOLD = 37;

/** Errors in an object's metadata by its kind's rules. */
export function validateMetadata(
  definition: ResourceDefinition,
  object: ApiObject,
  { gateEnabled }: Pick<StrategyContext, 'gateEnabled'>,
): FieldErrors {
  const { strategy, namespaced } = definition;
  const { nameRule } = strategy;
  const named = { object, gateEnabled };
  return validateObjectMeta(object.metadata, {
    namespaced,
    nameRule: typeof nameRule === 'string' ? nameRule : (text, isPrefix) => nameRule.faults(text, isPrefix, named),
    path,
    anyFinalizer: strategy.anyFinalizer === true,
    tellsOwners: isSince(definition, OWNERS_ARE_TOLD),
  });
}

/** Metadata rules of all kinds: names must be valid path segments. */
export function validateCommonMetadata(definition: ResourceDefinition, object: ApiObject): FieldErrors {
  const { namespaced } = definition;
  const tellsOwners = isSince(definition, OWNERS_ARE_TOLD);
  const rules = { namespaced, nameRule: 'pathSegment', path, anyFinalizer: true, tellsOwners } as const;
  return validateObjectMeta(object.metadata, rules);
}

type ChangeRules = (next: ApiObject, previous: ApiObject) => FieldErrors;

/**
 * What a kind's rules say of a change to an object with the empty lists and maps that it was given. Where these equal
 * absent ones the previous object has them, too; stored objects have none.
 */
function changeErrors(
  { request: { definition }, empties }: Pick<Write, 'request' | 'empties'>,
  { next, previous }: ValidatedUpdate,
  { tellsEmpty, run }: { readonly tellsEmpty: Checks['changeTellsEmpty']; readonly run: ChangeRules },
): FieldErrors {
  if (empties.length === 0) return run(next, previous);
  const isTold = tellsEmpty === true || (tellsEmpty !== undefined && !isSince(definition, tellsEmpty.before));
  return withEmptyMembers(next, empties, (given) =>
    isTold ? run(given, previous) : withEmptyMembers(previous, empties, (before) => run(given, before)),
  );
}

interface ValidatedUpdate {
  readonly next: ApiObject;
  readonly previous: ApiObject;
  /** Errors for what the user may not change. */
  readonly refusedRights?: FieldErrors;
}

/** Validation errors of a change to an object, its status or another subresource. */
export function validateUpdate(
  write: Pick<Write, 'request' | 'empties' | 'strategyContext'>,
  { next, previous, refusedRights = [] }: ValidatedUpdate,
): FieldErrors {
  const { request, empties } = write;
  const { definition, subresource } = request;
  const { strategy } = definition;
  const rules = { ...write.strategyContext(), isFinal: empties.length === 0 };
  // What the stored object does not fulfill is nothing to warn about.
  const ofStored = { ...rules, warn: undefined };
  const tellsOwners = isSince(definition, OWNERS_ARE_TOLD);
  const changes = validateObjectMetaUpdate(next.metadata, previous.metadata, { path, anyFinalizer: true, tellsOwners });
  const ofSubresource = ownMember(strategy.subresources, subresource);
  const isOwn = ofSubresource === undefined;
  const { checks: order = {} } = ofSubresource ?? strategy;
  const checks: Readonly<Record<UpdateCheck, () => FieldErrors>> = {
    metadata: () => validateMetadata(definition, next, rules),
    metadataChange: () =>
      strategy.anyFinalizer === true ? changes : joined(changes, validateFinalizerDomains(next.metadata, path)),
    content: () => {
      if (!isOwn) return NONE;
      const found = withEmptyMembers(next, empties, (given) => strategy.validate?.(given, rules, previous) ?? NONE);
      return withoutKept(found, () => strategy.validate?.(previous, ofStored, previous) ?? NONE);
    },
    change: () => {
      const { validateUpdate } = ofSubresource ?? strategy;
      const run: ChangeRules = (given, before) => validateUpdate?.(given, before, { ...rules, refusedRights }) ?? NONE;
      const found = changeErrors(write, { next, previous }, { tellsEmpty: order.changeTellsEmpty, run });
      return withoutKept(found, () => validateUpdate?.(previous, previous, ofStored) ?? NONE);
    },
  };
  const { later, update = defaultUpdateChecks } = order;
  const steps = later !== undefined && isSince(definition, later.since) ? later.update : update;
  const found = joined(validateCommonMetadata(definition, next), changes, ...steps.map((check) => checks[check]()));
  const isKnown = optsIn(definition.storage.schema, subresource);
  return withDeclaredRules(found, { type: definition.storage.schema, next, previous, context: rules, isKnown });
}
