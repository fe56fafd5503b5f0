import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../../api/object.ts';
import type { Pod } from './objects.ts';
import { validateDeviceHealth, validateExtendedClaim } from './validation-device-status.ts';

const spec = {
  initContainers: [{ name: 'i', resources: { requests: { 'example.com/init': '1' } } }],
  containers: [
    {
      name: 'a',
      resources: {
        requests: { cpu: '1', 'example.com/gpu': '1' },
        claims: [{ name: 'gpu', request: 'one' }, { name: 'own' }],
      },
    },
  ],
};
const fields = (found: readonly { field: string; type: string }[]) =>
  found.map(({ field, type }) => `${field.replace(/^status\./, '')}: ${type.replace('FieldValue', '')}`);

describe('validation of extendedResourceClaimStatus of a pod', () => {
  const judged = (...requestMappings: (readonly [string, string, string])[]) => {
    const mappings = requestMappings.map(([containerName, resourceName, requestName]) => ({
      ...{ containerName, resourceName, requestName },
    }));
    const extendedResourceClaimStatus = { resourceClaimName: 'made', requestMappings: mappings };
    return fields(validateExtendedClaim({ spec, status: { extendedResourceClaimStatus } } as unknown as Pod));
  };
  const at = (index: number) => `extendedResourceClaimStatus.requestMappings[${index}]`;

  it('validation of extendedResourceClaimStatus of a pod requires the names of containers and of the extended resources that they request', () => {
    assert.deepEqual(judged(['a', 'example.com/gpu', 'one'], ['i', 'example.com/init', 'one']), []);
    assert.deepEqual(judged(['x', 'example.com/gpu', 'one']), [`${at(0)}.containerName: Invalid`]);
    for (const name of ['example.com/init', 'cpu']) {
      assert.deepEqual(judged(['a', name, 'one']), [`${at(0)}.resourceName: Invalid`]);
    }
  });

  it('validation of extendedResourceClaimStatus of a pod rejects repeated mappings and invalid request names', () => {
    assert.deepEqual(judged(['a', 'example.com/gpu', 'one'], ['a', 'example.com/gpu', 'T_']), [
      `${at(1)}.containerName: Duplicate`,
      `${at(1)}.resourceName: Duplicate`,
      'extendedResourceClaimStatus.requestName: Invalid',
    ]);
  });

  it('validation of extendedResourceClaimStatus of a pod requires request mappings and the name of the claim', () => {
    const status = { extendedResourceClaimStatus: {} };
    assert.deepEqual(fields(validateExtendedClaim({ spec, status } as unknown as Pod)), [
      'extendedResourceClaimStatus.requestMappings: Required',
      'extendedResourceClaimStatus.resourceClaimName: Required',
    ]);
  });
});

describe('validation of allocatedResourcesStatus of a container', () => {
  const judged = (name: string, ...resources: JsonObject[]) => {
    const containerStatuses = [{ name: 'a', allocatedResourcesStatus: [{ name, resources }] }];
    return fields(validateDeviceHealth({ spec, status: { containerStatuses } } as unknown as Pod));
  };
  const at = 'containerStatuses[0].allocatedResourcesStatus[0]';

  it('validation of allocatedResourcesStatus of a container requires the name of a resource or claim that the container requests', () => {
    for (const name of ['example.com/gpu', 'cpu', 'claim:gpu/one', 'claim:own'])
      assert.deepEqual(judged(name), [], name);
    for (const name of ['memory', 'claim:gpu', 'claim:own/x', ''])
      assert.deepEqual(judged(name), [`${at}.name: Invalid`]);
  });

  it('validation of allocatedResourcesStatus of a container rejects repeated devices and unknown words for their health', () => {
    const [good, odd] = [
      { resourceID: '1', health: 'Healthy' },
      { resourceID: '2', health: 'Fine' },
    ];
    assert.deepEqual(judged('cpu', good, odd, good), [
      `${at}.resources[1].health: NotSupported`,
      `${at}.resources[2].resourceID: Duplicate`,
    ]);
  });

  it('validation of allocatedResourcesStatus of a container rejects it for ephemeral containers', () => {
    const ephemeralContainerStatuses = [{ name: 'q', allocatedResourcesStatus: [{ name: 'cpu' }] }];
    assert.deepEqual(fields(validateDeviceHealth({ spec, status: { ephemeralContainerStatuses } } as unknown as Pod)), [
      'ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden',
    ]);
  });
});
