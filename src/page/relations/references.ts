// What an object names in its spec: the ConfigMaps, Secrets and claims of a pod, the Services of an Ingress, the target of
// an autoscaler. A reference may name an object that does not exist, which is often what is wrong.

import { lookup } from '../../base/lookup.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import { at, listAt, textAt } from './members.ts';

export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** What the object is used for: `volume, environment`. */
  readonly use: string;
  /** Whether it may be missing. */
  readonly isOptional: boolean;
}

interface Type {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Adds a reference if the name is a text. */
type Note = (type: Type, name: unknown, how: How) => void;

interface How {
  readonly use: string;
  readonly isOptional?: boolean;
  /** '' for a cluster-scoped object; the namespace of the object that refers, if omitted. */
  readonly namespace?: string;
}

type Reader = (object: WholeObject, note: Note) => void;

const RBAC = 'rbac.authorization.k8s.io';

/** By group and plural name. */
const READERS: Readonly<Record<string, Reader>> = lookup({
  '/pods': (pod, note) => {
    note(core('Node'), at(pod, 'spec', 'nodeName'), { use: 'runs on', namespace: '' });
    readPodSpec(at(pod, 'spec'), note);
    for (const volume of listAt(pod, 'spec', 'volumes')) {
      if (at(volume, 'ephemeral') === undefined) continue;
      note(core('PersistentVolumeClaim'), `${pod.metadata.name}-${textAt(volume, 'name')}`, { use: 'volume' });
    }
  },
  'apps/deployments': readTemplate,
  'apps/replicasets': readTemplate,
  'apps/daemonsets': readTemplate,
  'apps/statefulsets': (set, note) => {
    note(core('Service'), at(set, 'spec', 'serviceName'), { use: 'names of pods' });
    readTemplate(set, note);
  },
  'batch/jobs': readTemplate,
  'batch/cronjobs': (job, note) => readPodSpec(at(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec'), note),
  '/replicationcontrollers': readTemplate,
  'networking.k8s.io/ingresses': readIngress,
  'autoscaling/horizontalpodautoscalers': (scaler, note) => {
    const target = at(scaler, 'spec', 'scaleTargetRef');
    note(typeOf(target), at(target, 'name'), { use: 'scales' });
  },
  '/persistentvolumeclaims': (claim, note) => {
    note(core('PersistentVolume'), at(claim, 'spec', 'volumeName'), { use: 'bound to', namespace: '' });
    readStorageClass(claim, note);
  },
  '/persistentvolumes': (volume, note) => {
    const claim = at(volume, 'spec', 'claimRef');
    const namespace = textAt(claim, 'namespace');
    note(core('PersistentVolumeClaim'), at(claim, 'name'), { use: 'bound to', namespace });
    readStorageClass(volume, note);
  },
  '/serviceaccounts': (account, note) => {
    for (const secret of listAt(account, 'secrets')) note(core('Secret'), at(secret, 'name'), { use: 'token' });
    readPullSecrets(account, note);
  },
  'discovery.k8s.io/endpointslices': (slice, note) => {
    for (const endpoint of listAt(slice, 'endpoints')) {
      const target = at(endpoint, 'targetRef');
      note(core(textAt(target, 'kind') || 'Pod'), at(target, 'name'), { use: 'endpoint' });
    }
  },
  [`${RBAC}/rolebindings`]: readBinding,
  [`${RBAC}/clusterrolebindings`]: readBinding,
});

/** Returns what an object of a kind (group and plural name) refers to, each object once. */
export function referencesOf(kind: string, object: WholeObject): readonly Reference[] {
  const found = new Map<string, Reference>();
  const own = object.metadata.namespace ?? '';
  const note: Note = ({ apiVersion, kind: named }, name, { use, isOptional = false, namespace = own }) => {
    if (typeof name !== 'string' || name === '' || named === '') return;
    const key = [apiVersion, named, namespace, name].join(' ');
    const known = found.get(key);
    const uses = new Set([...(known?.use.split(', ') ?? []), use]);
    const mayMiss = isOptional && known?.isOptional !== false;
    found.set(key, { apiVersion, kind: named, namespace, name, use: [...uses].join(', '), isOptional: mayMiss });
  };
  if (Object.hasOwn(READERS, kind)) READERS[kind]!(object, note);
  return [...found.values()];
}

/** The kinds whose objects refer to others, by group and plural name. */
export const REFERRING_KINDS: readonly string[] = Object.keys(READERS);

function core(kind: string): Type {
  return { apiVersion: 'v1', kind };
}

function typeOf(reference: unknown): Type {
  return { apiVersion: textAt(reference, 'apiVersion'), kind: textAt(reference, 'kind') };
}

function readTemplate(object: WholeObject, note: Note): void {
  readPodSpec(at(object, 'spec', 'template', 'spec'), note);
}

function readPodSpec(spec: unknown, note: Note): void {
  note(core('ServiceAccount'), at(spec, 'serviceAccountName'), { use: 'identity' });
  readPullSecrets(spec, note);
  for (const volume of listAt(spec, 'volumes')) readVolume(volume, note);
  for (const container of [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')]) {
    readEnvironment(container, note);
  }
}

function readPullSecrets(holder: unknown, note: Note): void {
  for (const secret of listAt(holder, 'imagePullSecrets')) {
    note(core('Secret'), at(secret, 'name'), { use: 'image pulls', isOptional: true });
  }
}

function readVolume(volume: unknown, note: Note): void {
  note(core('PersistentVolumeClaim'), at(volume, 'persistentVolumeClaim', 'claimName'), { use: 'volume' });
  readSource(volume, { use: 'volume', secretName: 'secretName' }, note);
  for (const source of listAt(volume, 'projected', 'sources')) {
    readSource(source, { use: 'volume', secretName: 'name' }, note);
  }
}

interface SourceForm {
  readonly use: string;
  /** The field with the name of a secret. */
  readonly secretName: string;
}

function readSource(source: unknown, { use, secretName }: SourceForm, note: Note): void {
  const [map, secret] = [at(source, 'configMap'), at(source, 'secret')];
  note(core('ConfigMap'), at(map, 'name'), { use, isOptional: at(map, 'optional') === true });
  note(core('Secret'), at(secret, secretName), { use, isOptional: at(secret, 'optional') === true });
}

function readEnvironment(container: unknown, note: Note): void {
  const sources = [
    ...listAt(container, 'env').map((variable) => at(variable, 'valueFrom')),
    ...listAt(container, 'envFrom'),
  ];
  for (const source of sources) {
    for (const [kind, ...names] of [
      ['ConfigMap', 'configMapKeyRef', 'configMapRef'],
      ['Secret', 'secretKeyRef', 'secretRef'],
    ] as const) {
      for (const name of names) {
        const from = at(source, name);
        note(core(kind), at(from, 'name'), { use: 'environment', isOptional: at(from, 'optional') === true });
      }
    }
  }
}

function readIngress(ingress: WholeObject, note: Note): void {
  const backends = [
    at(ingress, 'spec', 'defaultBackend'),
    ...listAt(ingress, 'spec', 'rules').flatMap((rule) =>
      listAt(rule, 'http', 'paths').map((path) => at(path, 'backend')),
    ),
  ];
  for (const backend of backends) note(core('Service'), at(backend, 'service', 'name'), { use: 'backend' });
  for (const tls of listAt(ingress, 'spec', 'tls')) note(core('Secret'), at(tls, 'secretName'), { use: 'TLS' });
  const use = 'class';
  note({ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass' }, at(ingress, 'spec', 'ingressClassName'), {
    use,
    namespace: '',
  });
}

function readStorageClass(object: WholeObject, note: Note): void {
  const name = at(object, 'spec', 'storageClassName');
  note({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' }, name, {
    use: 'class',
    namespace: '',
    isOptional: true,
  });
}

function readBinding(binding: WholeObject, note: Note): void {
  const role = at(binding, 'roleRef');
  const namespace = textAt(role, 'kind') === 'ClusterRole' ? '' : (binding.metadata.namespace ?? '');
  note({ apiVersion: `${RBAC}/v1`, kind: textAt(role, 'kind') }, at(role, 'name'), { use: 'role', namespace });
  for (const subject of listAt(binding, 'subjects')) {
    if (textAt(subject, 'kind') !== 'ServiceAccount') continue;
    const home = textAt(subject, 'namespace') || (binding.metadata.namespace ?? '');
    note(core('ServiceAccount'), at(subject, 'name'), { use: 'subject', namespace: home });
  }
}
