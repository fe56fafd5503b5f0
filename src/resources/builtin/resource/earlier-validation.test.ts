import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldErrors, fieldErrorBody } from '../../../api/errors.ts';
import type { StrategyContext } from '../../definition.ts';
import {
  claimParametersRules,
  claimRules,
  classParametersRules,
  classRules,
  contextRules,
  sliceRules,
} from './earlier-validation.ts';
import type { ResourceClaim, ResourceClaimStatus } from './v1alpha2-objects.ts';

const CONTEXT: StrategyContext = {
  nowMs: 0,
  gateEnabled: () => false,
  minor: 30,
  user: { name: '', uid: '', groups: [], extra: {} },
};

const text = (found: FieldErrors | undefined) => (found ?? []).map((each) => `${each.field}: ${fieldErrorBody(each)}`);

const claim = (status: ResourceClaimStatus): ResourceClaim => ({ metadata: {}, status });

function statusErrors(next: ResourceClaimStatus, before: ResourceClaimStatus = {}): string[] {
  const validate = claimRules.subresources?.['status']?.validateUpdate;
  return text(validate?.(claim(next), claim(before), CONTEXT));
}

const consumer = (uid: string) => ({ resource: 'pods', name: uid, uid });

describe('the status of a ResourceClaim of v1alpha2', () => {
  it('the status of a ResourceClaim of v1alpha2 has a driver once it is allocated', () => {
    assert.deepEqual(statusErrors({ driverName: 'a.example.com', allocation: {} }), []);
    assert.deepEqual(statusErrors({ allocation: {} }), [
      'status.driverName: Required value: must be specified when `allocation` is set',
    ]);
    assert.equal(statusErrors({ driverName: '-' }).length, 1);
  });

  it('the status of a ResourceClaim of v1alpha2 is reserved once for each consumer, while it is allocated', () => {
    const allocation = { shareable: true };
    const driverName = 'a.example.com';
    assert.deepEqual(statusErrors({ driverName, allocation, reservedFor: [consumer('a'), consumer('b')] }), []);
    assert.deepEqual(statusErrors({ driverName, allocation, reservedFor: [consumer('a'), consumer('a'), {}] }), [
      'status.reservedFor[1].uid: Duplicate value: "a"',
      'status.reservedFor[2].resource: Required value',
      'status.reservedFor[2].name: Required value',
      'status.reservedFor[2].uid: Required value',
    ]);
    assert.deepEqual(statusErrors({ reservedFor: [consumer('a')] }), [
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    ]);
    assert.deepEqual(statusErrors({ driverName, allocation: {}, reservedFor: [consumer('a'), consumer('b')] }), [
      'status.reservedFor: Forbidden: may not be reserved more than once',
    ]);
    const many = Array.from({ length: 33 }, (_, index) => consumer(`u${index}`));
    assert.deepEqual(statusErrors({ driverName, allocation, reservedFor: many }), [
      'status.reservedFor: Too long: may not be longer than 32',
    ]);
  });

  it('the status of a ResourceClaim of v1alpha2 keeps its allocation until it is deallocated', () => {
    const allocated = { driverName: 'a.example.com', allocation: { shareable: true } };
    assert.match(statusErrors({ ...allocated, allocation: {} }, allocated)[0]!, /^status\.allocation: Invalid value/);
    const asked = { ...allocated, deallocationRequested: true };
    assert.deepEqual(statusErrors({ ...asked, reservedFor: [consumer('a')] }, allocated), [
      'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
      'status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set',
    ]);
    assert.deepEqual(statusErrors({ deallocationRequested: true }, asked), [
      'status: Forbidden: `allocation` must be set when `deallocationRequested` is set',
    ]);
    assert.deepEqual(statusErrors(allocated, asked), [
      'status.deallocationRequested: Forbidden: may not be cleared when `allocation` is set',
    ]);
  });

  it('the status of a ResourceClaim of v1alpha2 has handles with data or structured data', () => {
    const handles = (...resourceHandles: object[]) =>
      statusErrors({ driverName: 'a.example.com', allocation: { resourceHandles } });
    assert.deepEqual(handles({ driverName: 'a.example.com', data: 'x' }), []);
    assert.deepEqual(
      handles({ driverName: 'a.example.com', data: 'x', structuredData: { nodeName: 'A', results: [{}] } }).map(
        (each) => each.split(':', 2)[0],
      ),
      [
        'status.allocation.resourceHandles[0].structuredData.nodeName',
        'status.allocation.resourceHandles[0].structuredData.results[0]',
        'status.allocation.resourceHandles[0]',
      ],
    );
    assert.deepEqual(handles({ driverName: 'a.example.com', data: 'x'.repeat(16 * 1024 + 1) }), [
      'status.allocation.resourceHandles[0].data: Too long: may not be longer than 16384',
    ]);
  });
});

describe('kinds that only resource.k8s.io/v1alpha2 has', () => {
  it('a ResourceClass selects nodes by valid terms, and refers to parameters in a namespace', () => {
    const errors = (object: object) => text(classRules.validate?.({ metadata: {}, ...object }, CONTEXT));
    assert.deepEqual(errors({ driverName: 'a.example.com', suitableNodes: {} }), [
      'suitableNodes.nodeSelectorTerms: Required value: must have at least one node selector term',
    ]);
    const parametersRef = { kind: 'A', name: 'a', namespace: 'A' };
    assert.match(errors({ driverName: 'a.example.com', parametersRef })[0]!, /^parametersRef\.namespace: Invalid/);
  });

  it('a ResourceSlice has instances with attributes of one value each', () => {
    const errors = (object: object) =>
      text(sliceRules.validate?.({ metadata: {}, driverName: 'a.example.com', ...object }, CONTEXT));
    assert.deepEqual(errors({}), ['<nil>: Required value: exactly one structured model field must be set']);
    const attributes = [
      { name: 'a', int: 1 },
      { name: 'a', string: 'a', bool: true },
      { name: 'b', version: '1.0' },
      { name: 'c' },
    ];
    assert.deepEqual(errors({ namedResources: { instances: [{ name: 'x', attributes }, { name: 'x' }] } }), [
      'namedResources.instances[0].attributes[1].name: Duplicate value: "a"',
      'namedResources.instances[0].attributes[1]: Invalid value: ["bool","string"]: exactly one field must be set, not several',
      'namedResources.instances[0].attributes[2].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0',
      'namedResources.instances[0].attributes[3]: Required value: exactly one value must be set',
      'namedResources.instances[1].name: Duplicate value: "x"',
    ]);
  });

  it('parameters select instances by expressions about their attributes', () => {
    const errors = (...selectors: string[]) => {
      const requests = selectors.map((selector) => ({ namedResources: { selector } }));
      const driverRequests = [{ driverName: 'a.example.com', requests }];
      return text(claimParametersRules.validate?.({ metadata: {}, driverRequests }, CONTEXT));
    };
    assert.deepEqual(
      errors(
        'attributes.quantity["a"].isGreaterThan(quantity("1"))',
        'attributes.stringslice["a"].exists(x, x == "b")',
      ),
      [],
    );
    const place = (index: number) => `driverRequests[0].requests[${index}].namedResources.selector`;
    const [missing, wrong, unknown] = errors('', 'attributes.int["a"]', 'attributes.other["a"]');
    assert.deepEqual(missing, `${place(0)}: Required value`);
    assert.deepEqual(wrong, `${place(1)}: Invalid value: "attributes.int[\\"a\\"]": must evaluate to bool`);
    assert.match(unknown!, /compilation failed: .*undeclared reference to 'attributes'/s);
    assert.deepEqual(errors(), [
      'driverRequests[0].requests: Required value: empty entries with no requests are not allowed',
    ]);
    const filters = [{ driverName: 'a.example.com' }, { driverName: 'a.example.com', namedResources: {} }];
    assert.deepEqual(text(classParametersRules.validate?.({ metadata: {}, filters }, CONTEXT)), [
      'filters[0]: Required value: exactly one structured model field must be set',
      'filters[1].driverName: Duplicate value: "a.example.com"',
      'filters[1].namedResources.selector: Required value',
    ]);
  });

  it('a PodSchedulingContext names each node and each claim once', () => {
    const spec = { potentialNodes: ['a', 'a'] };
    assert.deepEqual(text(contextRules.validate?.({ metadata: {}, spec }, CONTEXT)), [
      'spec.potentialNodes[1]: Duplicate value: "a"',
    ]);
    const status = { resourceClaims: [{ name: 'a' }, { name: 'a', unsuitableNodes: ['A'] }] };
    const next = { metadata: {}, status };
    const found = text(contextRules.subresources?.['status']?.validateUpdate?.(next, { metadata: {} }, CONTEXT));
    assert.match(found[0]!, /^status\.claims\[1\]\.unsuitableNodes\[0\]: Invalid value: "A"/);
    assert.deepEqual(found.slice(1), ['status.claims[1]: Duplicate value: "a"']);
  });
});
