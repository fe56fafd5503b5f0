import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { builtinResource, strategyContext } from '../../test/contract/defaults.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { builtinResourcesIn } from '../resources/builtin/resources.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { decodeObject, type EmptyMember } from '../schema/decode.ts';
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

  describe('of an object with empty lists and maps', () => {
    interface Update {
      readonly definition: ResourceDefinition;
      readonly before: JsonObject;
      readonly body: JsonObject;
    }

    /** What is found when an object gets this body. */
    async function refused({ definition, before, body }: Update): Promise<string[]> {
      await definition.strategy.load?.();
      const empties: EmptyMember[] = [];
      const { schema } = definition.storage;
      const metadata = { name: 'a', ...(definition.namespaced && { namespace: 'n' }), uid: 'u', resourceVersion: '1' };
      const decoded = (object: JsonObject, noted: EmptyMember[]) =>
        decodeObject(schema, { ...object, metadata }, { empties: noted }).value as ApiObject;
      const request = { definition, subresource: '' } as unknown as ResourceRequest;
      const found = validateUpdate(
        { request, empties, strategyContext: () => CONTEXT },
        { next: decoded(body, empties), previous: decoded(before, []) },
      );
      return found.map(({ field, detail }) => `${field}: ${detail}`);
    }

    it('tells of those that are forbidden, also in rules for the change', async () => {
      const template = (more: JsonObject): JsonObject => ({
        metadata: { labels: { a: 'b' } },
        spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 1, dnsPolicy: 'Default', ...more },
      });
      const spec = (more: JsonObject): JsonObject => ({
        spec: {
          selector: { matchLabels: { a: 'b' } },
          podManagementPolicy: 'Parallel',
          updateStrategy: { type: 'OnDelete' },
          template: template(more),
        },
      });
      const container = { image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
      const containers = [{ name: 'a', ...container }];
      const found = await refused({
        definition: builtinResource('statefulsets.apps'),
        before: spec({ containers }),
        body: spec({ containers, ephemeralContainers: [{ name: 'e', ...container, ports: [], command: [] }] }),
      });
      const field = 'spec.template.spec.ephemeralContainers';
      assert.deepEqual(found, [
        `${field}[0].ports: cannot be set for an Ephemeral Container`,
        `${field}: ephemeral containers not allowed in pod template`,
      ]);
    });

    it('takes empty parameters of a StorageClass for a change before 1.36', async () => {
      const before = { provisioner: 'p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };
      const found = (minor: number) => {
        const definition = builtinResourcesIn(minor).find(({ resource }) => resource === 'storageclasses');
        return refused({ definition: definition!, before, body: { ...before, parameters: {} } });
      };
      assert.deepEqual(await found(35), ['parameters: updates to parameters are forbidden.']);
      assert.deepEqual(await found(36), []);
    });
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
