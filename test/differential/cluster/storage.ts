// Random claims, volumes and classes, and the pods that use them. Names of objects without a namespace, and of classes,
// begin with that of the namespace, so that sequences do not share volumes.

import type { Chooser, Step } from './step.ts';

const CLAIMS = 'api/v1/NS/persistentvolumeclaims';
const VOLUMES = 'api/v1/persistentvolumes';
const PODS = 'api/v1/NS/pods';
const CLASS = '$NS';

function post(path: string, metadata: object, rest: object): Step {
  return { method: 'POST', path, body: { metadata, ...rest }, waits: true };
}

function storageClass(choose: Chooser): Step[] {
  const provisioner = choose(
    'kubernetes.io/no-provisioner',
    'kubernetes.io/no-provisioner',
    'kubernetes.io/host-path',
    'kubernetes.io/aws-ebs',
    'disks.example.com',
  );
  const volumeBindingMode = choose('Immediate', 'WaitForFirstConsumer', 'WaitForFirstConsumer');
  const more = { provisioner, volumeBindingMode, allowVolumeExpansion: choose(true, false) };
  return choose<Step[]>([], [post('apis/storage.k8s.io/v1/storageclasses', { name: CLASS }, more)]);
}

function volume(choose: Chooser, index: number): Step {
  const path = choose(`/tmp/${index}`, '/data');
  const source = choose<object>({ hostPath: { path } }, { local: { path } }, { nfs: { server: 'nfs', path } });
  const nodeSelectorTerms = [
    { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-1', 'node-2'] }] },
  ];
  const isLocal = 'local' in source;
  const claimRef = choose<object>({}, {}, { claimRef: { namespace: '$NS', name: choose('a', 'b') } });
  const spec = {
    // No two of one size, as any of them may be taken.
    capacity: { storage: `${choose(0, 10, 20) + index}Gi` },
    accessModes: choose(['ReadWriteOnce'], ['ReadWriteOnce'], ['ReadWriteMany']),
    persistentVolumeReclaimPolicy: choose('Retain', 'Delete', ...(isLocal ? [] : ['Retain', 'Recycle'])),
    storageClassName: CLASS,
    ...source,
    ...(isLocal ? { nodeAffinity: { required: { nodeSelectorTerms } } } : {}),
    ...choose<object>({}, {}, { volumeMode: 'Block' }),
    ...claimRef,
  };
  return post(VOLUMES, { name: `$NS-v${index}`, labels: { disk: choose('ssd', 'hdd') } }, { spec });
}

function claim(choose: Chooser, name: string): Step {
  const spec = {
    accessModes: [choose('ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteMany')],
    resources: { requests: { storage: choose('1Gi', '5Gi', '12Gi') } },
    storageClassName: choose(CLASS, CLASS, CLASS, CLASS, ''),
    ...choose<object>({}, {}, { selector: { matchLabels: { disk: 'ssd' } } }, { volumeName: '$NS-v1' }),
    ...choose<object>({}, {}, {}, { volumeMode: 'Block' }),
  };
  return post(CLAIMS, { name }, { spec });
}

function pod(name: string, source: object): Step {
  const mount = { name: 'data', mountPath: '/data' };
  const containers = [{ name: 'main', image: 'nginx', volumeMounts: [mount] }];
  const spec = { containers, volumes: [{ name: 'data', ...source }], terminationGracePeriodSeconds: 1 };
  return post(PODS, { name }, { spec });
}

function removal(path: string): Step {
  return { method: 'DELETE', path, waits: true };
}

/** Claims and volumes in any order, and what becomes of them when one is deleted. */
export function claims(choose: Chooser): Step[] {
  const numbers = [1, 2, 3].slice(0, choose(1, 2, 3));
  const volumes = numbers.map((index) => volume(choose, index));
  const asked = choose(['a'], ['a', 'b']).map((name) => claim(choose, name));
  const used = choose<Step[]>([], [pod('user', { persistentVolumeClaim: { claimName: 'a' } })]);
  const change = choose<Step[]>(
    [],
    [removal(`${CLAIMS}/a`)],
    [removal(`${PODS}/user`), removal(`${CLAIMS}/a`)],
    [removal(`${VOLUMES}/$NS-v1`)],
    [removal(`${VOLUMES}/$NS-v1`), removal(`${CLAIMS}/a`)],
    [removal(`${CLAIMS}/a`), claim(choose, 'a')],
  );
  const made = choose(
    [...volumes, ...asked, ...used],
    [...asked, ...volumes, ...used],
    [...used, ...asked, ...volumes],
  );
  return [...storageClass(choose), ...made, ...change];
}

/** Pods with volumes that are made for them. */
export function ephemeralVolumes(choose: Chooser): Step[] {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...choose<object>({}, { storageClassName: CLASS }, { storageClassName: '' }),
  };
  const volumeClaimTemplate = { metadata: choose<object>({}, { labels: { of: 'pod' } }), spec };
  const taken = choose<Step[]>([], [], [post(CLAIMS, { name: 'user-data' }, { spec })]);
  return [
    ...storageClass(choose),
    ...choose<Step[]>([], [volume(choose, 1)]),
    ...taken,
    pod('user', { ephemeral: { volumeClaimTemplate } }),
    ...choose<Step[]>([], [removal(`${PODS}/user`)], [removal(`${CLAIMS}/user-data`)]),
  ];
}

/** What a StatefulSet has made for each of its pods. */
export function claimTemplates(choose: Chooser): object {
  const storageClassName = choose<object>({}, { storageClassName: 'standard' }, { storageClassName: CLASS });
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...storageClassName };
  return { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }] };
}
