// Validation of resource requirements of containers and pods: requests and limits, claims, and resize policies.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { labelFaults } from '../../../../api/names.ts';
import { ownMember } from '../../../../api/own-member.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../../api/quantity.ts';
import { joined, NONE, ofMembers } from '../../../../base/findings.ts';
import { faultErrors, validateChoice } from '../../../validation/field-rules.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import {
  compareAmounts,
  isHugePages,
  mayOvercommit,
  validateContainerResourceName,
  validateResourceAmount,
  validateResourceName,
  validateWholePages,
} from '../../../validation/quantities.ts';
import { entryOf } from '../../../value.ts';
import type { Container, ResourceRequirements } from './container-objects.ts';
import type { PodSpec } from './objects.ts';

const HANDLED_BY_QOS = ['cpu', 'memory'];

/** The names in `spec.resourceClaims` of a pod. */
export class ClaimNames {
  readonly #names: ReadonlySet<string>;
  #told: string | undefined;

  constructor(claims: readonly { readonly name?: string }[] = []) {
    this.#names = new Set(claims.map(({ name = '' }) => name));
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** All of them, as messages end. */
  get told(): string {
    if (this.#told === undefined) {
      const named = [...this.#names].filter((each) => each !== '').sort();
      this.#told = named.length === 0 ? ' which is empty' : `: ${named.join(', ')}`;
    }
    return this.#told;
  }
}

export interface ResourceRules {
  readonly claims: ClaimNames;
  /** Allowed resources; those of containers by default. */
  readonly validateName?: (resource: string, field: string) => FieldError[];
}

/** Requests and limits, separately and relative to each other. */
export function validateResources(resources: ResourceRequirements, rules: ResourceRules, field: string): FieldErrors {
  const { limits, requests, claims } = resources;
  return joined(
    ofMembers(limits, (resource, amount) => {
      const here = `${field}.limits[${resource}]`;
      return joined(validateAmount(resource, amount, { rules, field: here }), validatePages(resource, amount, here));
    }),
    ofMembers(requests, (resource, amount) => {
      const here = `${field}.requests[${resource}]`;
      return joined(
        validateAmount(resource, amount, { rules, field: here }),
        validateAgainstLimit(resource, amount, { limit: entryOf(limits, resource), field }),
        validatePages(resource, amount, here),
      );
    }),
    needsMore(limits, requests) ? [fieldError.forbidden(field, 'HugePages require cpu or memory')] : NONE,
    claims === undefined ? NONE : validateClaims(claims, rules.claims, `${field}.claims`),
  );
}

/** Huge pages require CPU or memory. */
function needsMore(
  limits: Readonly<Record<string, string>> = {},
  requests: Readonly<Record<string, string>> = {},
): boolean {
  let pages = false;
  for (const amounts of [limits, requests]) {
    for (const name in amounts) {
      if (HANDLED_BY_QOS.includes(name)) return false;
      pages ||= isHugePages(name);
    }
  }
  return pages;
}

interface Place {
  readonly rules: ResourceRules;
  readonly field: string;
}

function validateAmount(resource: string, amount: string, { rules, field }: Place): FieldErrors {
  const validateName = rules.validateName ?? validateContainerResourceName;
  return joined(validateName(resource, field), validateResourceAmount(resource, amount, field));
}

function validatePages(resource: string, amount: string, field: string): FieldError[] {
  return isHugePages(resource) ? keepable('pages', validateWholePages(resource, amount, field)) : [];
}

function validateAgainstLimit(
  resource: string,
  amount: string,
  { limit, field }: { limit: string | undefined; field: string },
): FieldError[] {
  if (limit === undefined) {
    if (mayOvercommit(resource)) return [];
    return [fieldError.required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const order = compareAmounts(amount, limit);
  const refuse = (what: string) => [
    fieldError.invalid(`${field}.requests`, amount, `must be ${what} ${resource} limit of ${limit}`),
  ];
  if (order !== 0 && !mayOvercommit(resource)) return refuse('equal to');
  return order > 0 ? refuse('less than or equal to') : [];
}

function validateClaims(
  claims: readonly { readonly name?: string; readonly request?: string }[],
  known: ClaimNames,
  field: string,
): FieldError[] {
  const found: FieldError[] = [];
  const seen = new Set<string>();
  /** Claims of which a request has been seen. */
  const inPart = new Set<string>();
  for (const [index, { name = '', request = '' }] of claims.entries()) {
    const here = `${field}[${index}]`;
    if (name === '') {
      found.push(fieldError.required(here));
      continue;
    }
    // A claim without a request includes all its requests.
    if (seen.has(name)) found.push(fieldError.duplicate(here, name));
    else {
      if (request !== '') found.push(...faultErrors(labelFaults(request), request, `${here}.request`));
      const key = request === '' ? name : `${name}/${request}`;
      const overlaps = request === '' && inPart.has(name);
      if (overlaps || seen.has(key)) found.push(fieldError.duplicate(here, key));
      seen.add(key);
      if (request !== '') inPart.add(name);
    }
    if (known.has(name)) continue;
    found.push({
      ...fieldError.notFound(here, name),
      detail: `must be one of the names in pod.spec.resourceClaims${known.told}`,
    });
  }
  return found;
}

const RESIZED = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

/** The restart policy for a resize of one resource. */
export function validateResizePolicy(
  policies: Container['resizePolicy'],
  podRestartPolicy: string | undefined,
  field: string,
): FieldErrors {
  if (policies === undefined) return NONE;
  const found: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) found.push(fieldError.duplicate(`${field}[${index}]`, resourceName));
    seen.add(resourceName);
    if (resourceName === '') found.push(fieldError.required(field));
    else found.push(...validateChoice(resourceName, RESIZED, field));
    if (restartPolicy === '') found.push(fieldError.required(field));
    else found.push(...validateChoice(restartPolicy, RESIZE_POLICIES, field));
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const why = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      found.push(fieldError.invalid(field, restartPolicy, why));
    }
  }
  return found;
}

const OF_PODS = ['cpu', 'hugepages-', 'memory'];

function validatePodResourceName(resource: string, field: string): FieldError[] {
  const found = validateResourceName(resource, field);
  if (found.length > 0 || RESIZED.includes(resource) || isHugePages(resource)) return found;
  return [fieldError.notSupported(field, resource, OF_PODS)];
}

/** Pod-level resources must cover those of the containers. */
export function validatePodResources(spec: PodSpec, field: string): FieldErrors {
  const { resources } = spec;
  if (resources === undefined) return NONE;
  if (spec.os?.name === 'windows') return [fieldError.forbidden(field, 'may not be set for a windows pod')];
  const { requests = {}, limits = {}, claims } = resources;
  const found = claims === undefined ? [] : [fieldError.forbidden(`${field}.claims`, NO_CLAIMS)];
  const known = new ClaimNames(spec.resourceClaims);
  found.push(
    ...validateResources({ requests, limits, claims }, { claims: known, validateName: validatePodResourceName }, field),
    ...validateHeld(requests, totals(spec, 'requests'), { side: 'requests', field }),
    ...validateHeld(pagesOf(limits), totals(spec, 'limits'), { side: 'limits', field }),
  );
  for (const [index, container] of (spec.containers ?? []).entries()) {
    const own = container.resources?.limits ?? {};
    for (const name of Object.keys(own).sort()) {
      const most = ownMember(limits, name);
      if (most === undefined || compareAmounts(own[name] as string, most) <= 0) continue;
      // Kubernetes reports the container's path below the pod's resources.
      const here = `${field}.containers[${index}][${name}].limits`;
      found.push(fieldError.invalid(here, own[name], `must be less than or equal to pod limits of ${most}`));
    }
  }
  return found;
}

const NO_CLAIMS = 'claims may not be set for Resources at pod-level';

function pagesOf(amounts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isHugePages(name)));
}

function validateHeld(
  amounts: Readonly<Record<string, string>>,
  held: ReadonlyMap<string, Quantity>,
  { side, field }: { side: 'requests' | 'limits'; field: string },
): FieldError[] {
  return Object.keys(amounts)
    .sort()
    .flatMap((name) => {
      const needed = held.get(name);
      const amount = amounts[name] as string;
      if (needed === undefined || compareQuantities(needed, parseQuantity(amount)) <= 0) return [];
      const why = `must be greater than or equal to aggregate container ${side} of ${formatQuantity(needed)}`;
      return [fieldError.invalid(`${field}.${side}[${name}]`, amount, why)];
    });
}

/**
 * What a pod's containers need at once: containers and sidecars together, or more during an init container with the
 * sidecars started before it.
 */
function totals(spec: PodSpec, side: 'requests' | 'limits'): Map<string, Quantity> {
  const running = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) addTo(running, container.resources?.[side]);
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[side];
    if (container.restartPolicy === 'Always') {
      addTo(running, own);
      addTo(sidecars, own);
      raiseTo(starting, sidecars);
    } else {
      const together = new Map(sidecars);
      addTo(together, own);
      raiseTo(starting, together);
    }
  }
  raiseTo(running, starting);
  return running;
}

function addTo(sums: Map<string, Quantity>, amounts: Readonly<Record<string, string>> | undefined): void {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? parseQuantity(amount) : addQuantities(sum, parseQuantity(amount)));
  }
}

function raiseTo(most: Map<string, Quantity>, others: ReadonlyMap<string, Quantity>): void {
  for (const [name, other] of others) {
    const own = most.get(name);
    if (own === undefined || compareQuantities(own, other) < 0) most.set(name, other);
  }
}
