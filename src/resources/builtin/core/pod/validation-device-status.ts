// Validation of device-related pod status: the claim for extended resources, and the health of allocated devices.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { labelFaults, subdomainFaults } from '../../../../api/names.ts';
import { firstBy } from '../../../../base/first-places.ts';
import { remembering } from '../../../../base/resumed.ts';
import { faultErrors, validateChoice, validateItems } from '../../../validation/field-rules.ts';
import { isExtendedResource } from '../../../validation/quantities.ts';
import type { Container } from './container-objects.ts';
import type { ContainerStatus, ResourceStatus } from './container-status-objects.ts';
import type { Pod } from './objects.ts';

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const NO_CONTAINER = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const NO_RESOURCE =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or ' +
  'spec.containers.resources.requests';
const NO_REQUEST = "must match one of the container's resource requests";
const NO_CLAIM =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' " +
  'if request is empty';

/** The generated claim for a pod's extended resources: maps resources of containers to requests. */
export function validateExtendedClaim({ spec, status }: Pod): FieldError[] {
  const claim = status?.extendedResourceClaimStatus;
  if (claim === undefined) return [];
  const field = 'status.extendedResourceClaimStatus';
  const mappings = claim.requestMappings ?? [];
  const containers = byName([...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]);
  const known = new Set<string>();
  const found = mappings.flatMap(({ containerName = '', resourceName = '', requestName = '' }, index) => {
    const here = `${field}.requestMappings[${index}]`;
    const container = containers.get(containerName);
    const key = `${containerName}/${resourceName}`;
    const isRepeated = known.has(key);
    known.add(key);
    return [
      ...(container === undefined ? [fieldError.invalid(`${here}.containerName`, containerName, NO_CONTAINER)] : []),
      ...(container !== undefined && !requestsExtended(container, resourceName)
        ? [fieldError.invalid(`${here}.resourceName`, resourceName, NO_RESOURCE)]
        : []),
      ...(isRepeated
        ? [
            fieldError.duplicate(`${here}.containerName`, containerName),
            fieldError.duplicate(`${here}.resourceName`, resourceName),
          ]
        : []),
      ...faultErrors(labelFaults(requestName), requestName, `${field}.requestName`),
    ];
  });
  if (mappings.length === 0) {
    found.push(fieldError.required(`${field}.requestMappings`, 'at least one request mapping is required'));
  }
  const { resourceClaimName: name = '' } = claim;
  const here = `${field}.resourceClaimName`;
  return [...found, ...(name === '' ? [fieldError.required(here)] : faultErrors(subdomainFaults(name), name, here))];
}

function byName(containers: readonly Container[]): ReadonlyMap<string, Container> {
  return firstBy(containers, ({ name = '' }) => name);
}

function requestsExtended({ resources }: Container, name: string): boolean {
  return isExtendedResource(name) && Object.hasOwn(resources?.requests ?? {}, name);
}

/** Device health refers to container resources; ephemeral containers have no devices. */
export function validateDeviceHealth({ spec, status }: Pod): FieldError[] {
  const field = (list: string, index: number) => `status.${list}[${index}].allocatedResourcesStatus`;
  const validate = (list: string, statuses: readonly ContainerStatus[], containers: readonly Container[]) => {
    const named = byName(containers);
    return statuses.flatMap((each, index) => {
      const container = named.get(each.name ?? '');
      return validateItems(each.allocatedResourcesStatus ?? [], field(list, index), (resource, here) =>
        validateHealth(resource, container, here),
      );
    });
  };
  return [
    ...validate('containerStatuses', status?.containerStatuses ?? [], spec?.containers ?? []),
    ...validate('initContainerStatuses', status?.initContainerStatuses ?? [], spec?.initContainers ?? []),
    ...(status?.ephemeralContainerStatuses ?? []).flatMap(({ allocatedResourcesStatus: told = [] }, index) =>
      told.length === 0
        ? []
        : [
            fieldError.forbidden(
              field('ephemeralContainerStatuses', index),
              'must not be specified in container status',
            ),
          ],
    ),
  ];
}

/** Only the requests of regular containers are known. */
function validateHealth(
  { name = '', resources = [] }: ResourceStatus,
  container: Container | undefined,
  field: string,
): FieldError[] {
  return [
    ...(container === undefined ? [] : validateAsked(name, container, `${field}.name`)),
    ...remembering(
      () => new Set<string>(),
      (known) =>
        validateItems(resources, `${field}.resources`, ({ resourceID: id = '', health = '' }, here) => {
          const found = validateChoice(health, HEALTH, `${here}.health`);
          if (known.has(id)) found.push(fieldError.duplicate(`${here}.resourceID`, id));
          known.add(id);
          return found;
        }),
    ),
  ];
}

function validateAsked(name: string, { resources }: Container, field: string): FieldError[] {
  if (!name.startsWith('claim:')) {
    return Object.hasOwn(resources?.requests ?? {}, name) ? [] : [fieldError.invalid(field, name, NO_REQUEST)];
  }
  const claims = (resources?.claims ?? []).map(({ name: claim = '', request = '' }) =>
    request === '' ? `claim:${claim}` : `claim:${claim}/${request}`,
  );
  return claims.includes(name) ? [] : [fieldError.invalid(field, name, NO_CLAIM)];
}
