// Validation of Nodes.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { jsonWord } from '../../../../api/go-text.ts';
import { isObject } from '../../../../api/is-object.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { JsonError, parseJson } from '../../../../api/json-reader.ts';
import { labelValueFaults, qualifiedNameFaults } from '../../../../api/names.ts';
import type { Json } from '../../../../api/object.ts';
import { byteLength } from '../../../../base/byte-length.ts';
import { goQuote } from '../../../../base/go-quote.ts';
import { overItems, remembering } from '../../../../base/resumed.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../../definition.ts';
import { ANNOTATED_TAINT, annotatedItems } from '../../../validation/annotated-items.ts';
import { faultErrors, validateItems } from '../../../validation/field-rules.ts';
import { inGoForm, TAINT } from '../../../validation/go-form.ts';
import { cidrWarnings, legacyAddresses, parseCidr } from '../../../validation/ip-addresses.ts';
import { validateResourceAmount } from '../../../validation/quantities.ts';
import { wholeObject } from '../../../validation/whole-objects.ts';
import { at, listAt, sortedEntries } from '../../../value.ts';
import type { Taint } from '../pod/scheduling-objects.ts';
import type { Node } from './objects.ts';
import { NodeAddress } from './types.ts';

const AVOID_PODS = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
/** Errors of taints have a path under metadata, as in Kubernetes. */
const SPEC_TAINTS = 'metadata.taints';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const TAINTS = 'scheduler.alpha.kubernetes.io/taints';

function validateAnnotations({ metadata }: Node): FieldError[] {
  return [...validateAnnotatedTaints(metadata.annotations?.[TAINTS] ?? ''), ...validateAvoidance(metadata)];
}

function validateAnnotatedTaints(annotation: string): FieldError[] {
  const taints = annotatedItems(annotation, ANNOTATED_TAINT);
  if (typeof taints === 'string') return [fieldError.invalid('metadata.annotations', TAINTS, taints)];
  return validateTaints(taints as Taint[], `metadata.annotations.${TAINTS}`);
}

function validateAvoidance(metadata: Node['metadata']): FieldError[] {
  const avoided = metadata.annotations?.[AVOID_PODS];
  if (avoided === undefined) return [];
  const field = 'metadata.annotations.AvoidPods';
  try {
    const parsed = avoided === '' ? null : parseJson(avoided);
    if (parsed === null) return [];
    if (isObject(parsed)) return validateAvoidPods(parsed, `metadata.annotations.${AVOID_PODS}`);
    const why = `json: cannot unmarshal ${jsonWord(parsed)} into Go value of type v1.AvoidPods`;
    return [fieldError.invalid(field, AVOID_PODS, why)];
  } catch (error) {
    if (error instanceof JsonError) return [fieldError.invalid(field, AVOID_PODS, error.message)];
    throw error;
  }
}

function validateAvoidPods(avoided: Json, field: string): FieldError[] {
  return validateItems(listAt(avoided, 'preferAvoidPods'), field, (entry, path) => {
    const controller = at(entry, 'podSignature', 'podController');
    if (!isObject(controller)) return [fieldError.required(`${path}.PodSignature`)];
    if (at(controller, 'controller') === true) return [];
    const why = 'must point to a controller';
    return [fieldError.invalid(`${path}.PodSignature.PodController.Controller`, false, why)];
  });
}

/** Taints are unique by key and effect. */
function validateTaints(taints: readonly Taint[], place: string): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(taints, place, (taint, field) => {
        const [key, value, effect] = [taint.key ?? '', taint.value ?? '', taint.effect ?? ''];
        const found = [
          ...faultErrors(qualifiedNameFaults(key), key, `${field}.key`),
          ...faultErrors(labelValueFaults(value), value, `${field}.value`),
        ];
        if (effect === '') found.push(fieldError.required(`${field}.effect`));
        else if (!EFFECTS.includes(effect)) found.push(fieldError.notSupported(`${field}.effect`, effect, EFFECTS));
        if (seen.has(`${key}:${effect}`)) {
          const detail = 'taints must be unique by key and effect pair';
          found.push({ type: 'FieldValueDuplicate', field, value: inGoForm(taint, TAINT), detail });
        }
        seen.add(`${key}:${effect}`);
        return found;
      }),
  );
}

function validateResources(node: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((list) =>
    overItems(sortedEntries(node.status?.[list]), ([name, amount]) =>
      validateResourceAmount(name, amount, `status.${list}.${name}`),
    ),
  );
}

function validateSwap({ status }: Node): FieldError[] {
  const capacity = status?.nodeInfo?.swap?.capacity;
  if (capacity === undefined || capacity > 0) return [];
  // Told under metadata, as Kubernetes has it.
  return [fieldError.invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

function validatePodCidrs(node: Node, rules: Pick<StrategyContext, 'gateEnabled' | 'minor'>): FieldError[] {
  const legacy = legacyAddresses(rules);
  const ranges = node.spec?.podCIDRs ?? [];
  const field = 'spec.podCIDRs';
  const told = validateItems(ranges, field, (range, path) => legacy.cidr(String(range), path));
  const found = isSince(rules, QUOTES_ONE_RANGE) ? told : told.map((error) => ({ ...error, value: ranges }));
  if (ranges.length < 2) return found;
  const wrong = ranges.findIndex((range) => parseCidr(String(range)) === undefined);
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`;
    found.push(fieldError.internal(field, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
  }
  const families = new Set(wrong >= 0 ? [] : ranges.map((range) => parseCidr(String(range))?.family));
  if (ranges.length === 2 && families.size === 2) return found;
  found.push(fieldError.invalid(field, ranges, 'may specify no more than one CIDR for each IP family'));
  return isSince(rules, WITHOUT_DUPLICATES) ? found : [...found, ...duplicateRanges(ranges.map(String), field)];
}

/** The first minor release of Kubernetes 1 that quotes the range that is wrong, and not all of them. */
const QUOTES_ONE_RANGE = 30;
/** The first one that does not report duplicates separately. */
const WITHOUT_DUPLICATES = 33;

function duplicateRanges(ranges: readonly string[], field: string): FieldError[] {
  const seen = new Set<string>();
  return ranges.flatMap((range, index) => {
    const isFirst = seen.size < seen.add(range).size;
    return isFirst ? [] : [fieldError.duplicate(`${field}[${index}]`, range)];
  });
}

function validateNode(node: Node, rules: Pick<StrategyContext, 'gateEnabled' | 'minor'>): FieldError[] {
  return [
    ...validateAnnotations(node),
    ...validateTaints(node.spec?.taints ?? [], SPEC_TAINTS),
    ...validateResources(node),
    ...validateSwap(node),
    ...validateDeclaredFeatures(node),
    ...validatePodCidrs(node, rules),
  ];
}

const DECLARED_FEATURE = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const FEATURE_BYTES = 253;

/** The features that a kubelet declares, in order. */
function validateDeclaredFeatures({ status }: Node): FieldError[] {
  const features = status?.declaredFeatures ?? [];
  return features.flatMap((feature, index) => {
    const field = `status.declaredFeatures[${index}]`;
    const before = index === 0 ? undefined : features[index - 1];
    const found: FieldError[] = [];
    if (before !== undefined && before === feature) found.push(fieldError.duplicate(field, feature));
    if (before !== undefined && before > feature) {
      found.push(fieldError.invalid(field, feature, 'list must be sorted alphabetically'));
    }
    const fault = featureFault(feature);
    return fault === undefined ? found : [...found, fieldError.invalid(field, feature, fault)];
  });
}

function featureFault(feature: string): string | undefined {
  const told = `invalid feature name ${goQuote(feature)}`;
  if (byteLength(feature) > FEATURE_BYTES) return `${told}: must be no more than ${FEATURE_BYTES} characters`;
  if (DECLARED_FEATURE.test(feature)) return undefined;
  const form = "must start with an UpperCamelCase segment, with subsequent segments separated by '/'";
  return `${told}: ${form} (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
}

/** Immutable fields of a node, and duplicate addresses. */
function validateNodeChange(next: Node, previous: Node, context: StrategyContext): FieldError[] {
  const found = remembering(
    () => new Set<string>(),
    (addresses) =>
      validateItems(next.status?.addresses ?? [], 'status.addresses', (address, field) => {
        const key = `${address.type ?? ''}/${address.address ?? ''}`;
        const repeated = addresses.has(key);
        addresses.add(key);
        return repeated ? [fieldError.duplicate(field, wholeObject({ type: NodeAddress }, address))] : [];
      }),
  );
  const [ranges, provider] = [previous.spec?.podCIDRs ?? [], previous.spec?.providerID ?? ''];
  if (ranges.length > 0 && !equalJson(ranges, next.spec?.podCIDRs ?? [])) {
    const why = 'node updates may not change podCIDR except from "" to valid';
    found.push(fieldError.forbidden('spec.podCIDRs', why));
  }
  const nextProvider = next.spec?.providerID ?? '';
  if (provider !== '' && provider !== nextProvider) found.push(changedProvider(nextProvider, context));
  return found;
}

function changedProvider(next: string, context: StrategyContext): FieldError {
  const field = 'spec.providerID';
  if (!isSince(context, 37)) {
    return fieldError.forbidden(field, 'node updates may not change providerID except from "" to valid');
  }
  return fieldError.invalid(field, null, `field cannot be ${next === '' ? 'cleared' : 'modified'} once set`);
}

function validateExternalId(next: Node, previous: Node): FieldError[] {
  if ((next.spec?.externalID ?? '') === (previous.spec?.externalID ?? '')) return [];
  return [fieldError.forbidden('spec.externalID', 'may not be updated')];
}

/** Much of a node is validated again in updates. */
function validateNodeUpdate(next: Node, previous: Node, context: StrategyContext): FieldError[] {
  return [
    ...validateAnnotations(next),
    ...validateResources(next),
    ...validateDeclaredFeatures(next),
    ...validateNodeChange(next, previous, context),
    ...validateTaints(next.spec?.taints ?? [], SPEC_TAINTS),
    ...validateExternalId(next, previous),
  ];
}

export const nodeRules: KindRules<Node> = {
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  subresources: { status: { validateUpdate: validateNodeUpdate } },
  warnings: (node) => [
    ...(node.spec?.configSource !== undefined ? ['spec.configSource: the feature is removed'] : []),
    ...((node.spec?.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...(node.spec?.podCIDRs ?? []).flatMap((range, index) => cidrWarnings(range, `spec.podCIDRs[${index}]`)),
  ],
};
