import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulationOf, RELEASES } from '../lifecycle/version.ts';
import { createCatalog } from './catalog.ts';
import { publishedStorages } from './storage-versions.ts';

function told(minor: number, runtimeConfig: Record<string, string> = {}, binary = 34) {
  const release = RELEASES.find((each) => each.minor === binary);
  const emulation = emulationOf(minor, release);
  const catalog = createCatalog({ emulation, runtimeConfig });
  const { minCompatibilityMinor } = emulation;
  const storages = publishedStorages({ catalog, minCompatibilityMinor });
  const row = ({ encodingVersion, decodableVersions, servedVersions }: (typeof storages)[number]) =>
    [encodingVersion, decodableVersions.join(), servedVersions.join()].join(' ');
  return new Map(storages.map((each) => [each.name, row(each)]));
}

test('StorageVersions name the encoding, decodable and served versions of each stored resource', () => {
  const all = told(34, { 'internal.apiserver.k8s.io/v1alpha1': 'true' });
  assert.equal(all.size, 57, 'as many as kube-apiserver v1.34 tells of');
  for (const [name, row] of Object.entries({
    'core.pods': 'v1 v1 v1',
    'core.events': 'v1 v1,events.k8s.io/v1 v1',
    'apps.daemonsets': 'apps/v1 apps/v1,apps/v1beta2 apps/v1',
    'apiextensions.k8s.io.customresourcedefinitions':
      'apiextensions.k8s.io/v1beta1 apiextensions.k8s.io/v1,apiextensions.k8s.io/v1beta1 apiextensions.k8s.io/v1',
    'autoscaling.horizontalpodautoscalers':
      'autoscaling/v2 autoscaling/v2,autoscaling/v1,autoscaling/v2beta1,autoscaling/v2beta2 autoscaling/v2,autoscaling/v1',
    'networking.k8s.io.ipaddresses':
      'networking.k8s.io/v1 networking.k8s.io/v1,networking.k8s.io/v1beta1 networking.k8s.io/v1',
  }))
    assert.equal(all.get(name), row);
});

test('the encoding version follows the compatibility version, and each server can decode it', () => {
  const older = told(32, { 'api/beta': 'true' });
  assert.match(older.get('networking.k8s.io.ipaddresses') ?? '', /^networking.k8s.io\/v1beta1 .* \S+\/v1beta1$/);
  assert.match(older.get('resource.k8s.io.deviceclasses') ?? '', /^resource.k8s.io\/v1beta2 .* \S+\/v1beta1$/);
  const all = told(34, { 'api/all': 'true' });
  assert.equal(all.size, 64);
  assert.match(all.get('coordination.k8s.io.leasecandidates') ?? '', /^coordination.k8s.io\/v1beta1 /);
  for (let minor = 24; minor < 34; minor++) told(minor, { 'api/all': 'true' });
});

test('StorageVersions of a newer release include its own kinds and versions', () => {
  const all = told(37, { 'api/all': 'true' }, 37);
  for (const [name, row] of Object.entries({
    'scheduling.k8s.io.workloads': 'v1beta1 v1beta1,v1alpha3 v1beta1,v1alpha3',
    'scheduling.k8s.io.compositepodgroups': 'v1alpha3 v1alpha3 v1alpha3',
    'lifecycle.k8s.io.evictions': 'v1alpha1 v1alpha1 v1alpha1',
    'resource.k8s.io.resourcepoolstatusrequests': 'v1alpha3 v1alpha3 v1alpha3',
    'resource.k8s.io.devicetaintrules': 'v1beta2 v1,v1beta2,v1alpha3 v1,v1beta2,v1alpha3',
    'resource.k8s.io.resourceslices': 'v1 v1,v1beta2,v1beta1 v1,v1beta2,v1beta1',
    'certificates.k8s.io.podcertificaterequests': 'v1beta1 v1,v1beta1 v1,v1beta1',
    'storage.k8s.io.volumeattributesclasses': 'v1 v1,v1beta1,v1alpha1 v1',
    'autoscaling.horizontalpodautoscalers': 'v2 v2,v1 v2,v1',
  })) {
    const group = name.slice(0, name.lastIndexOf('.'));
    assert.equal(all.get(name)?.replaceAll(`${group}/`, ''), row, name);
  }
  for (const minor of [35, 36]) told(minor, { 'api/all': 'true' }, minor);
});

test('a release from 1.37 on that emulates an older one writes what that and the one before can read', () => {
  const versionsIn = (minor: number) => {
    const all = told(minor, { 'api/beta': 'true' }, 37);
    const names = [
      'admissionregistration.k8s.io.mutatingadmissionpolicies',
      'resource.k8s.io.deviceclasses',
      'storage.k8s.io.volumeattributesclasses',
      'apiextensions.k8s.io.customresourcedefinitions',
    ];
    return names.map((name) => all.get(name)?.split(' ', 1)[0]?.split('/').at(-1));
  };
  assert.deepEqual(versionsIn(37), ['v1', 'v1', 'v1', 'v1beta1']);
  for (const minor of [34, 35, 36])
    assert.deepEqual(versionsIn(minor), ['v1beta1', 'v1', 'v1', 'v1beta1'], `1.${minor}`);
});
