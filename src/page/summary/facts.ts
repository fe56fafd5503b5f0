// What there is to know about an object at first sight, by kind: as kubectl describe has it, without what tables, lists
// and events show anyway.

import { lookup } from '../../base/lookup.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import { at, entriesAt, listAt, numberAt, textAt, textsAt } from '../relations/members.ts';
import { type Fact, linkFact, phaseFact } from './fact.ts';
import { selectorText } from './selector-text.ts';
import { daemonSetFacts, deploymentFacts, replicaSetFacts, statefulSetFacts } from './workload-facts.ts';

const READERS: Readonly<Record<string, (object: WholeObject) => readonly Fact[]>> = lookup({
  '/pods': podFacts,
  'apps/deployments': deploymentFacts,
  'apps/replicasets': replicaSetFacts,
  'apps/statefulsets': statefulSetFacts,
  'apps/daemonsets': daemonSetFacts,
  'batch/jobs': jobFacts,
  'batch/cronjobs': cronJobFacts,
  '/services': serviceFacts,
  '/nodes': nodeFacts,
  '/persistentvolumeclaims': claimFacts,
  '/persistentvolumes': volumeFacts,
  'networking.k8s.io/ingresses': ingressFacts,
  'autoscaling/horizontalpodautoscalers': autoscalerFacts,
  '/namespaces': (namespace) => [phaseFact(namespace, { Active: 'good', Terminating: 'warn' })],
});

/** Whether somebody has written what a kind (group and plural name) is to be summed up by. */
export function hasOwnSummary(kind: string): boolean {
  return Object.hasOwn(READERS, kind) || kind === '/configmaps' || kind === '/secrets';
}

/** Returns the facts of an object of a kind (group and plural name), without empty ones. */
export function factsOf(kind: string, object: WholeObject): readonly Fact[] {
  const facts = Object.hasOwn(READERS, kind) ? READERS[kind]!(object) : [];
  return facts.filter(({ text, time = '' }) => text !== '' || time !== '');
}

const POD_TONES = { Running: 'good', Succeeded: 'good', Pending: 'warn', Failed: 'bad', Unknown: 'bad' };

function podFacts(pod: WholeObject): readonly Fact[] {
  const { namespace = '' } = pod.metadata;
  const [node, account] = [textAt(pod, 'spec', 'nodeName'), textAt(pod, 'spec', 'serviceAccountName')];
  const why = [textAt(pod, 'status', 'reason'), textAt(pod, 'status', 'message')].filter((text) => text !== '');
  const ips = listAt(pod, 'status', 'podIPs').map((one) => textAt(one, 'ip'));
  return [
    { ...phaseFact(pod, POD_TONES), ...(isUnready(pod) && { tone: 'warn' }) },
    { label: 'Reason', text: why.join(': '), tone: 'bad' },
    linkFact('Node', { apiVersion: 'v1', kind: 'Node', namespace: '', name: node }),
    { label: 'Nominated node', text: textAt(pod, 'status', 'nominatedNodeName') },
    { label: 'IP', text: ips.join(', ') || textAt(pod, 'status', 'podIP') },
    { label: 'Started', text: '', time: textAt(pod, 'status', 'startTime') },
    linkFact('Service account', { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: account }),
    { label: 'QoS class', text: textAt(pod, 'status', 'qosClass') },
    { label: 'Priority', text: priorityText(pod) },
    { label: 'Restart policy', text: textAt(pod, 'spec', 'restartPolicy') },
  ];
}

/** A pod that runs may fail again and again. */
function isUnready(pod: WholeObject): boolean {
  const ready = listAt(pod, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  return textAt(pod, 'status', 'phase') === 'Running' && textAt(ready, 'status') === 'False';
}

function priorityText(pod: WholeObject): string {
  const [name, value] = [textAt(pod, 'spec', 'priorityClassName'), numberAt(pod, 'spec', 'priority')];
  return name === '' ? (value === 0 ? '' : String(value)) : `${name} (${value})`;
}

function jobFacts(job: WholeObject): readonly Fact[] {
  const completions = textAt(job, 'spec', 'completions');
  const counts = ['active', 'succeeded', 'failed'].flatMap((name) => {
    const count = numberAt(job, 'status', name);
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return [
    { label: 'Pods', text: counts.join(', ') || 'none yet', tone: numberAt(job, 'status', 'failed') > 0 ? 'warn' : '' },
    { label: 'Completions', text: completions === '' ? 'any' : completions },
    { label: 'Parallelism', text: textAt(job, 'spec', 'parallelism') },
    { label: 'Suspended', text: at(job, 'spec', 'suspend') === true ? 'yes' : '', tone: 'warn' },
    { label: 'Retries', text: textAt(job, 'spec', 'backoffLimit') },
    { label: 'Deadline', text: secondsText(textAt(job, 'spec', 'activeDeadlineSeconds')) },
    { label: 'Started', text: '', time: textAt(job, 'status', 'startTime') },
    { label: 'Completed', text: '', time: textAt(job, 'status', 'completionTime') },
  ];
}

function cronJobFacts(job: WholeObject): readonly Fact[] {
  const zone = textAt(job, 'spec', 'timeZone');
  const isSuspended = at(job, 'spec', 'suspend') === true;
  return [
    { label: 'Schedule', text: [textAt(job, 'spec', 'schedule'), zone].filter((text) => text !== '').join(' ') },
    { label: 'Suspended', text: isSuspended ? 'yes' : 'no', tone: isSuspended ? 'warn' : '' },
    { label: 'Concurrency', text: textAt(job, 'spec', 'concurrencyPolicy') },
    { label: 'Active Jobs', text: String(listAt(job, 'status', 'active').length) },
    { label: 'Last scheduled', text: '', time: textAt(job, 'status', 'lastScheduleTime') },
    { label: 'Last success', text: '', time: textAt(job, 'status', 'lastSuccessfulTime') },
  ];
}

function serviceFacts(service: WholeObject): readonly Fact[] {
  const balancers = listAt(service, 'status', 'loadBalancer', 'ingress').map(
    (one) => textAt(one, 'ip') || textAt(one, 'hostname'),
  );
  const ips = textsAt(service, 'spec', 'clusterIPs');
  return [
    { label: 'Type', text: textAt(service, 'spec', 'type') },
    { label: 'Cluster IP', text: ips.join(', ') || textAt(service, 'spec', 'clusterIP') },
    { label: 'External IP', text: [...balancers, ...textsAt(service, 'spec', 'externalIPs')].join(', ') },
    { label: 'External name', text: textAt(service, 'spec', 'externalName') },
    { label: 'Ports', text: listAt(service, 'spec', 'ports').map(servicePortText).join(', ') },
    { label: 'Selector', text: selectorText({ matchLabels: at(service, 'spec', 'selector') }) },
    { label: 'Session affinity', text: textAt(service, 'spec', 'sessionAffinity').replace('None', '') },
  ];
}

function servicePortText(port: unknown): string {
  const [own, target, node] = ['port', 'targetPort', 'nodePort'].map((name) => textAt(port, name));
  const numbers = target === '' || target === own ? own : `${own} → ${target}`;
  const parts = [textAt(port, 'name'), `${numbers}/${textAt(port, 'protocol') || 'TCP'}`];
  return [...parts, node === '' || node === '0' ? '' : `node port ${node}`].filter((text) => text !== '').join(' ');
}

function nodeFacts(node: WholeObject): readonly Fact[] {
  const roles = Object.keys(node.metadata.labels ?? {}).flatMap(
    (label) => /^node-role\.kubernetes\.io\/(.+)$/.exec(label)?.[1] ?? [],
  );
  const taints = listAt(node, 'spec', 'taints').map((taint) => {
    const value = textAt(taint, 'value');
    return `${textAt(taint, 'key')}${value === '' ? '' : `=${value}`}:${textAt(taint, 'effect')}`;
  });
  const isCordoned = at(node, 'spec', 'unschedulable') === true;
  const info = (name: string): string => textAt(node, 'status', 'nodeInfo', name);
  return [
    { label: 'Scheduling', text: isCordoned ? 'disabled (cordoned)' : 'enabled', tone: isCordoned ? 'warn' : 'good' },
    { label: 'Roles', text: roles.join(', ') },
    { label: 'Taints', text: taints.join(', ') },
    {
      label: 'Addresses',
      text: listAt(node, 'status', 'addresses')
        .map((one) => textAt(one, 'address'))
        .join(', '),
    },
    { label: 'Kubelet', text: info('kubeletVersion') },
    { label: 'System', text: [info('osImage'), info('architecture')].filter((text) => text !== '').join(', ') },
    { label: 'Kernel', text: info('kernelVersion') },
    { label: 'Container runtime', text: info('containerRuntimeVersion') },
    { label: 'Pod CIDR', text: textAt(node, 'spec', 'podCIDR') },
    ...entriesAt(node, 'status', 'allocatable').flatMap(([name, amount]) =>
      textAt(amount) === '0' ? [] : [{ label: `Allocatable ${name}`, text: textAt(amount) }],
    ),
  ];
}

const CLAIM_TONES = { Bound: 'good', Pending: 'warn', Lost: 'bad' };
const VOLUME_TONES = { Bound: 'good', Available: 'good', Pending: 'warn', Released: 'warn', Failed: 'bad' };

function claimFacts(claim: WholeObject): readonly Fact[] {
  return [
    phaseFact(claim, CLAIM_TONES),
    { label: 'Requested', text: textAt(claim, 'spec', 'resources', 'requests', 'storage') },
    { label: 'Capacity', text: textAt(claim, 'status', 'capacity', 'storage') },
    { label: 'Access modes', text: textsAt(claim, 'spec', 'accessModes').join(', ') },
    volumeLink(claim),
    classLink(claim),
    { label: 'Volume mode', text: textAt(claim, 'spec', 'volumeMode') },
  ];
}

function volumeLink(claim: WholeObject): Fact {
  const name = textAt(claim, 'spec', 'volumeName');
  return linkFact('Volume', { apiVersion: 'v1', kind: 'PersistentVolume', namespace: '', name });
}

function classLink(object: WholeObject): Fact {
  const name = textAt(object, 'spec', 'storageClassName');
  return linkFact('Storage class', { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', namespace: '', name });
}

function volumeFacts(volume: WholeObject): readonly Fact[] {
  const claim = at(volume, 'spec', 'claimRef');
  const to = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace: textAt(claim, 'namespace'),
    name: textAt(claim, 'name'),
  };
  return [
    phaseFact(volume, VOLUME_TONES),
    linkFact('Claim', to),
    { label: 'Capacity', text: textAt(volume, 'spec', 'capacity', 'storage') },
    { label: 'Access modes', text: textsAt(volume, 'spec', 'accessModes').join(', ') },
    { label: 'Reclaim policy', text: textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') },
    classLink(volume),
    { label: 'Message', text: textAt(volume, 'status', 'message') },
  ];
}

function ingressFacts(ingress: WholeObject): readonly Fact[] {
  const rules = listAt(ingress, 'spec', 'rules').flatMap((rule) =>
    listAt(rule, 'http', 'paths').map(
      (path) => `${textAt(rule, 'host') || '*'}${textAt(path, 'path')} → ${backendText(at(path, 'backend'))}`,
    ),
  );
  const addresses = listAt(ingress, 'status', 'loadBalancer', 'ingress').map(
    (one) => textAt(one, 'ip') || textAt(one, 'hostname'),
  );
  return [
    { label: 'Class', text: textAt(ingress, 'spec', 'ingressClassName') },
    { label: 'Address', text: addresses.join(', ') },
    { label: 'Default backend', text: backendText(at(ingress, 'spec', 'defaultBackend')) },
    { label: 'Rules', text: rules.join(', ') },
    {
      label: 'TLS',
      text: listAt(ingress, 'spec', 'tls')
        .flatMap((tls) => textsAt(tls, 'hosts'))
        .join(', '),
    },
  ];
}

function backendText(backend: unknown): string {
  const service = textAt(backend, 'service', 'name');
  if (service === '') return textAt(backend, 'resource', 'name');
  return `${service}:${textAt(backend, 'service', 'port', 'name') || textAt(backend, 'service', 'port', 'number')}`;
}

function autoscalerFacts(scaler: WholeObject): readonly Fact[] {
  const target = at(scaler, 'spec', 'scaleTargetRef');
  const { namespace = '' } = scaler.metadata;
  const to = {
    apiVersion: textAt(target, 'apiVersion'),
    kind: textAt(target, 'kind'),
    namespace,
    name: textAt(target, 'name'),
  };
  const replicas = `${numberAt(scaler, 'status', 'currentReplicas')} now, ${numberAt(scaler, 'status', 'desiredReplicas')} desired`;
  return [
    linkFact('Scales', to),
    { label: 'Replicas', text: replicas },
    {
      label: 'Bounds',
      text: `${textAt(scaler, 'spec', 'minReplicas') || '1'} to ${textAt(scaler, 'spec', 'maxReplicas')}`,
    },
    { label: 'Last scaled', text: '', time: textAt(scaler, 'status', 'lastScaleTime') },
  ];
}

function secondsText(seconds: string): string {
  return seconds === '' ? '' : `${seconds} s`;
}
