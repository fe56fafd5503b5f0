// Migrations of Ingresses, EndpointSlices and PodDisruptionBudgets, whose v1 has other fields or meanings.

import { isScalar, type Scalar, type YAMLMap } from 'yaml';
import {
  has,
  isEmptyMap,
  itemsAt,
  type Manifest,
  mapAt,
  rename,
  replace,
  setValue,
  take,
  textOf,
  valueAt,
} from './manifest.ts';

export function migrateIngress(manifest: Manifest): void {
  const spec = mapAt(manifest.root, 'spec');
  rename(spec, 'backend', 'defaultBackend');
  migrateBackend(manifest, mapAt(spec, 'defaultBackend'));
  let withoutType = 0;
  for (const rule of itemsAt(spec, 'rules')) {
    for (const path of itemsAt(rule, 'http', 'paths')) {
      migrateBackend(manifest, mapAt(path, 'backend'));
      if (has(path, 'pathType')) continue;
      setValue(path, 'pathType', manifest.node('ImplementationSpecific'));
      withoutType++;
    }
  }
  if (withoutType > 0) manifest.note('pathType is required: ImplementationSpecific, the old default, is written down');
  if (valueAt(manifest.root, 'metadata', 'annotations', 'kubernetes.io/ingress.class') !== undefined) {
    manifest.note('the annotation kubernetes.io/ingress.class is deprecated: spec.ingressClassName replaces it');
  }
}

/** serviceName and servicePort are part of `service`, with the port by number or name. */
function migrateBackend(manifest: Manifest, backend: YAMLMap | undefined): void {
  if (backend === undefined || !has(backend, 'serviceName')) return;
  const port = valueAt(backend, 'servicePort');
  const service = manifest.node({ name: textOf(backend, 'serviceName') }) as YAMLMap;
  if (port !== undefined) {
    setValue(service, 'port', manifest.node(typeof port === 'number' ? { number: port } : { name: port }));
  }
  take(backend, 'servicePort');
  replace(backend, 'serviceName', { key: 'service', value: service });
}

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

export function migrateEndpointSlice(manifest: Manifest): void {
  const lost = new Set<string>();
  for (const endpoint of itemsAt(manifest.root, 'endpoints')) {
    const topology = mapAt(endpoint, 'topology');
    if (topology === undefined) continue;
    const zone = take(topology, ZONE);
    const host = take(topology, HOSTNAME);
    if (zone !== undefined) setValue(endpoint, 'zone', zone);
    if (host !== undefined && !has(endpoint, 'nodeName')) setValue(endpoint, 'nodeName', host);
    for (const { key } of topology.items) lost.add(String(isScalar(key) ? (key as Scalar).value : key));
    take(endpoint, 'topology');
  }
  if (lost.size > 0) {
    manifest.note(
      `endpoints have no free topology any more, only nodeName and zone: ${[...lost].join(', ')} is dropped`,
    );
  }
}

export function migrateDisruptionBudget(manifest: Manifest): void {
  const spec = mapAt(manifest.root, 'spec');
  const selector = mapAt(spec, 'selector');
  if (spec === undefined || selector === undefined) return;
  const labels = mapAt(selector, 'matchLabels');
  const isEmpty =
    isEmptyMap(selector) ||
    (itemsAt(selector, 'matchExpressions').length === 0 && (labels === undefined || isEmptyMap(labels)));
  if (!isEmpty) return;
  const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
  setValue(spec, 'selector', manifest.node({ matchExpressions: [{ key, operator: 'Exists' }] }));
  manifest.note(
    'an empty spec.selector selected no pod and selects every pod of the namespace in policy/v1: ' +
      'written so that it still matches nothing',
  );
}
