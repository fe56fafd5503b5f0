import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { builtinResource, strategyContext } from '../../test/contract/defaults.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { ResourceRequest } from './resource-request.ts';
import { validateMetadata, validateUpdate } from './update-validation.ts';

const CONTEXT = strategyContext();

/** The fields of what is found when an object gets this body and metadata. */
function changed(resource: string, metadata: JsonObject, body: JsonObject = {}): string[] {
  const definition = builtinResource(resource);
  const request = { definition, subresource: '' } as unknown as ResourceRequest;
  const namespace = definition.namespaced ? { namespace: 'n' } : {};
  const object = (own: JsonObject) =>
    ({ ...body, metadata: { name: 'a', ...namespace, uid: 'u', resourceVersion: '1', ...own } }) as ApiObject;
  const found = validateUpdate(
    { request, empties: [], strategyContext: () => CONTEXT },
    { next: object(metadata), previous: object({}) },
  );
  return found.map(({ field }) => field);
}

function namesRefused(
  resource: string,
  metadata: JsonObject,
  spec: JsonObject = {},
  gateEnabled: (gate: string) => boolean = () => false,
): string[] {
  const object = { metadata, spec } as unknown as ApiObject;
  return validateMetadata(builtinResource(resource), object, { gateEnabled }).map(
    ({ field, detail }) => `${field}: ${detail}`,
  );
}

const uid = { uid: 'other' };
const finalizers = { finalizers: ['plain'] };

describe('the validation of an update', () => {
  before(() => builtinResource('deviceclasses.resource.k8s.io').strategy.load?.());

  it('the validation of an update reports errors in metadata once for all kinds, and again as often as the kind validates metadata', () => {
    const twice = ['metadata.uid', 'metadata.uid'];
    assert.deepEqual(changed('leases.coordination.k8s.io', uid), twice);
    // These never ask how metadata changed.
    for (const resource of ['limitranges', 'endpointslices.discovery.k8s.io', 'csinodes.storage.k8s.io']) {
      assert.deepEqual(
        changed(resource, uid, { addressType: 'IPv4' }).filter((field) => field === 'metadata.uid'),
        ['metadata.uid'],
        resource,
      );
    }
  });

  it('the validation of an update reports finalizers without a domain as often as the kind validates metadata', () => {
    const field = 'metadata.finalizers[0]';
    assert.deepEqual(changed('serviceaccounts', finalizers), [field, field]);
    assert.deepEqual(changed('leases.coordination.k8s.io', finalizers), []);
    assert.deepEqual(changed('roles.rbac.authorization.k8s.io', finalizers), [field, field, field]);
    assert.deepEqual(changed('poddisruptionbudgets.policy', finalizers, { spec: {} }), []);
  });

  it('the validation of an update reports errors in the object before or after those of changes, in the order of the kind', () => {
    const drivers = { spec: { drivers: [{ name: 'a', nodeID: '' }] } };
    const wrong = 'spec.drivers[0].nodeID';
    assert.deepEqual(changed('csinodes.storage.k8s.io', uid, drivers), ['metadata.uid', wrong, wrong]);
    const annotations = { annotations: { '/': '' } };
    assert.deepEqual(
      changed('secrets', annotations).map((field) => field === 'metadata.annotations'),
      new Array(12).fill(true),
    );
  });

  it('the validation of an update rejects names that do not follow from the object, such as those of IPAddresses and APIServices', () => {
    const parentRef = { resource: 'services', name: 'a' };
    assert.deepEqual(namesRefused('ipaddresses.networking.k8s.io', {}, { parentRef }), [
      'metadata.name: name or generateName is required',
    ]);
    assert.deepEqual(namesRefused('ipaddresses.networking.k8s.io', { name: 'a' }, { parentRef }), [
      'metadata.name: must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    const service = { version: 'v1', group: 'example.com' };
    const why = 'must be `spec.version+"."+spec.group`: "v1.example.com"';
    assert.deepEqual(namesRefused('apiservices.apiregistration.k8s.io', { generateName: 'a', name: 'ab' }, service), [
      `metadata.generateName: ${why}`,
      `metadata.name: ${why}`,
    ]);
    assert.deepEqual(namesRefused('apiservices.apiregistration.k8s.io', { name: 'a/b' }, service), [
      "metadata.name: may not contain '/'",
    ]);
  });

  it('the name of a Service may begin with a digit if RelaxedServiceNameValidation is enabled', () => {
    const metadata = { name: '1st', namespace: 'default' };
    assert.equal(namesRefused('services', metadata).length, 1);
    assert.deepEqual(
      namesRefused('services', metadata, {}, (gate) => gate === 'RelaxedServiceNameValidation'),
      [],
    );
  });
});
