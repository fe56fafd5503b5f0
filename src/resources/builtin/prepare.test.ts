import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinResource, strategyContext } from '../../../test/contract/defaults.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';

const CONTEXT = strategyContext();

function created(resource: string, object: ApiObject): ApiObject {
  builtinResource(resource).strategy.prepareForCreate?.(object, CONTEXT);
  return object;
}

function updated(resource: string, next: ApiObject, previous: ApiObject): ApiObject {
  builtinResource(resource).strategy.prepareForUpdate?.(next, previous, CONTEXT);
  return next;
}

function job(spec: JsonObject, metadata: JsonObject = {}): ApiObject {
  return { metadata: { name: 'once', uid: 'u7', ...metadata }, spec };
}

const OWN_LABELS = {
  'batch.kubernetes.io/controller-uid': 'u7',
  'batch.kubernetes.io/job-name': 'once',
  'controller-uid': 'u7',
  'job-name': 'once',
};

describe('a new Job', () => {
  it('a new Job selects its pods by its uid', () => {
    const { metadata, spec } = created('jobs.batch', job({ template: { metadata: { labels: { a: 'b' } } } }));
    assert.deepEqual(spec, {
      template: { metadata: { labels: { a: 'b', ...OWN_LABELS } } },
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u7' } },
    });
    assert.equal(metadata.labels, undefined);
  });

  it('a new Job is read with the labels of its pods if it has none', () => {
    const { strategy } = builtinResource('jobs.batch');
    const made = created('jobs.batch', job({ template: { metadata: { labels: { a: 'b' } } } }));
    assert.equal(strategy.defaultsOnRead?.(made, CONTEXT), true);
    assert.deepEqual(made.metadata.labels, { a: 'b', ...OWN_LABELS });
    assert.equal(strategy.defaultsOnRead?.(made, CONTEXT), false);
  });

  it('a new Job keeps labels of its own', () => {
    const { metadata } = created('jobs.batch', job({ template: {} }, { labels: { x: 'y' } }));
    assert.deepEqual(metadata.labels, { x: 'y' });
  });

  it('a new Job keeps its selector with manualSelector', () => {
    const spec = { manualSelector: true, selector: { matchLabels: { a: 'b' } }, template: { metadata: {} } };
    assert.deepEqual(created('jobs.batch', job(structuredClone(spec))).spec, spec);
  });
});

describe('the template generation of a DaemonSet', () => {
  const COUNT = 'deprecated.daemonset.template.generation';
  const set = (image: string, count?: string): ApiObject => ({
    metadata: { name: 'd', ...(count === undefined ? {} : { annotations: { [COUNT]: count } }) },
    spec: { template: { image } },
  });

  it('the template generation of a DaemonSet starts at one', () => {
    assert.equal(created('daemonsets.apps', set('a')).metadata.annotations?.[COUNT], '1');
    assert.equal(created('daemonsets.apps', set('a', '7')).metadata.annotations?.[COUNT], '7');
  });

  it('the template generation of a DaemonSet increases with changes of the template only, whatever the client sends', () => {
    assert.equal(updated('daemonsets.apps', set('b', '99'), set('a', '3')).metadata.annotations?.[COUNT], '4');
    assert.equal(updated('daemonsets.apps', set('a'), set('a', '3')).metadata.annotations?.[COUNT], '3');
  });
});

describe('a CertificateSigningRequest', () => {
  it('a CertificateSigningRequest holds the user who created it, whatever the client sends', () => {
    const request = { metadata: {}, spec: { username: 'root', groups: ['system:masters'], extra: { a: ['b'] } } };
    const { spec } = created('certificatesigningrequests.certificates.k8s.io', request);
    assert.deepEqual(spec, { username: 'jane', uid: 'u1', groups: ['dev'] });
  });

  it('a CertificateSigningRequest keeps its spec on update', () => {
    const previous = { metadata: {}, spec: { signerName: 'a' }, status: {} };
    const next = { metadata: {}, spec: { signerName: 'b' }, status: {} };
    const { spec } = updated('certificatesigningrequests.certificates.k8s.io', next, previous);
    assert.deepEqual(spec, { signerName: 'a' });
  });
});

describe('the data source of a PersistentVolumeClaim', () => {
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
  const thing = { apiGroup: 'x.example.com', kind: 'Thing', name: 's' };
  const claim = (spec: JsonObject): ApiObject => ({ metadata: {}, spec });
  const cases: readonly [string, JsonObject, JsonObject][] = [
    ['dataSource alone', { dataSource: snapshot }, { dataSource: snapshot, dataSourceRef: snapshot }],
    ['dataSourceRef alone', { dataSourceRef: thing }, { dataSource: thing, dataSourceRef: thing }],
    ['a dataSource of a kind that dataSource does not support', { dataSource: thing }, {}],
    [
      'a dataSource of any kind beside dataSourceRef',
      { dataSource: thing, dataSourceRef: thing },
      { dataSource: thing, dataSourceRef: thing },
    ],
    ['a dataSourceRef of another namespace, which needs a gate', { dataSourceRef: { ...thing, namespace: 'n' } }, {}],
  ];
  for (const [title, given, stored] of cases) {
    it(`the data source of a PersistentVolumeClaim is stored as in Kubernetes: ${title}`, () =>
      assert.deepEqual(created('persistentvolumeclaims', claim(given)).spec, stored));
  }

  it('the data source of a PersistentVolumeClaim stays when an update leaves dataSourceRef out', () => {
    const previous = claim({ dataSource: thing, dataSourceRef: thing });
    const next = claim({ dataSource: thing });
    assert.deepEqual(updated('persistentvolumeclaims', next, previous).spec, previous.spec);
  });
});

describe('fields that the server sets on create and update', () => {
  it('a LimitRange without a name gets its uid as name', () => {
    assert.equal(created('limitranges', { metadata: { uid: 'u1' } }).metadata.name, 'u1');
    assert.equal(created('limitranges', { metadata: { uid: 'u1', name: 'n' } }).metadata.name, 'n');
  });

  it('the generation of a CSIDriver increases with changes of its spec', () => {
    const driver = (podInfoOnMount: boolean, generation?: number): ApiObject => ({
      metadata: { name: 'd', generation },
      spec: { podInfoOnMount },
    });
    const generation = (next: ApiObject, previous: ApiObject) =>
      updated('csidrivers.storage.k8s.io', next, previous).metadata.generation;
    assert.equal(generation(driver(true), driver(true)), undefined);
    assert.equal(generation(driver(true), driver(false)), 1);
    assert.equal(generation(driver(true, 1), driver(false, 1)), 2);
  });

  it('lastPhaseTransitionTime of a PersistentVolume is set when its phase changes', () => {
    const volume = (status: JsonObject): ApiObject => ({ metadata: { name: 'v' }, status });
    const rules = builtinResource('persistentvolumes').strategy.subresources?.['status'];
    const noted = (next: JsonObject, previous: JsonObject) => {
      const object = volume(next);
      rules?.prepareForUpdate?.(object, volume(previous), { ...CONTEXT, nowMs: 0 });
      return (object.status as JsonObject).lastPhaseTransitionTime;
    };
    const old = { phase: 'Pending', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' };
    assert.equal(noted({ phase: 'Pending' }, old), old.lastPhaseTransitionTime);
    assert.equal(noted({ phase: 'Bound' }, old), '1970-01-01T00:00:00Z');
    assert.equal(noted({ ...old, phase: 'Bound' }, old), '1970-01-01T00:00:00Z');
    const given = '2021-01-01T00:00:00Z';
    assert.equal(noted({ phase: 'Bound', lastPhaseTransitionTime: given }, old), given);
  });

  it('storedVersions of a CustomResourceDefinition grow without a change to the previous object', () => {
    const status: JsonObject = { storedVersions: ['v1'] };
    const definition = (name: string): ApiObject => ({
      metadata: { name: 'd' },
      spec: { versions: [{ name, storage: true }] },
      status,
    });
    const next = updated('customresourcedefinitions.apiextensions.k8s.io', definition('v2'), definition('v1'));
    assert.deepEqual([next.status, status], [{ storedVersions: ['v1', 'v2'] }, { storedVersions: ['v1'] }]);
  });

  it('qosClass and observedGeneration of a pod stay when a status update leaves them out', () => {
    const pod = (status: JsonObject): ApiObject => ({ metadata: { name: 'p' }, status });
    const next = pod({ conditions: [{ type: 'Ready' }, { type: 'Ready', observedGeneration: 5 }] });
    const conditions = [{ type: 'Ready', observedGeneration: 2 }];
    const previous = pod({ qosClass: 'Burstable', observedGeneration: 3, conditions });
    builtinResource('pods').strategy.subresources?.['status']?.prepareForUpdate?.(next, previous, CONTEXT);
    assert.deepEqual(next.status, {
      qosClass: 'Burstable',
      observedGeneration: 3,
      conditions: [
        { type: 'Ready', observedGeneration: 2 },
        { type: 'Ready', observedGeneration: 5 },
      ],
    });
  });
});
