// Random claims, volumes and classes, and the pods that use them. Names of objects without a namespace, and of classes,
// begin with that of the namespace, so that sequences do not share volumes.

import { type Chooser, created, patched, removed, type Step } from './step.ts';

const CLAIMS = 'api/v1/NS/persistentvolumeclaims';
const VOLUMES = 'api/v1/persistentvolumes';
const PODS = 'api/v1/NS/pods';
const CLASS = '$NS';
const ON_ONE_NODE = { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } };

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
  return choose<Step[]>([], [created('apis/storage.k8s.io/v1/storageclasses', { name: CLASS }, more)]);
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
  return created(VOLUMES, { name: `$NS-v${index}`, labels: { disk: choose('ssd', 'hdd') } }, { spec });
}

function claim(choose: Chooser, name: string): Step {
  const spec = {
    // Which of two claims gets a volume that would do for both is random.
    accessModes: [name === 'a' ? 'ReadWriteOnce' : 'ReadWriteMany'],
    resources: { requests: { storage: choose('1Gi', '5Gi', '12Gi') } },
    storageClassName: choose(CLASS, CLASS, CLASS, CLASS, ''),
    ...choose<object>({}, {}, { selector: { matchLabels: { disk: 'ssd' } } }, { volumeName: '$NS-v1' }),
    ...choose<object>({}, {}, {}, { volumeMode: 'Block' }),
  };
  return created(CLAIMS, { name }, { spec });
}

/** @param more what else its spec says */
function pod(name: string, source: object, more: object = {}): Step {
  const mount = { name: 'data', mountPath: '/data' };
  const containers = [{ name: 'main', image: 'nginx', volumeMounts: [mount] }];
  const spec = { containers, volumes: [{ name: 'data', ...source }], terminationGracePeriodSeconds: 1, ...more };
  return created(PODS, { name }, { spec });
}

/** Claims and volumes in any order, and what becomes of them when one is deleted. */
export function claims(choose: Chooser): Step[] {
  const numbers = [1, 2, 3].slice(0, choose(1, 2, 3));
  const volumes = numbers.map((index) => volume(choose, index));
  const asked = choose(['a'], ['a', 'b']).map((name) => claim(choose, name));
  const used = choose<Step[]>([], [pod('user', { persistentVolumeClaim: { claimName: 'a' } })]);
  const change = choose<Step[]>(
    [],
    [removed(`${CLAIMS}/a`)],
    [removed(`${PODS}/user`), removed(`${CLAIMS}/a`)],
    [removed(`${VOLUMES}/$NS-v1`)],
    [removed(`${VOLUMES}/$NS-v1`), removed(`${CLAIMS}/a`)],
    [removed(`${CLAIMS}/a`), claim(choose, 'a')],
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
  const taken = choose<Step[]>([], [], [created(CLAIMS, { name: 'user-data' }, { spec })]);
  return [
    ...storageClass(choose),
    ...choose<Step[]>([], [volume(choose, 1)]),
    ...taken,
    pod('user', { ephemeral: { volumeClaimTemplate } }),
    ...choose<Step[]>([], [removed(`${PODS}/user`)], [removed(`${CLAIMS}/user-data`)]),
  ];
}

/** Claims whose volumes are made by the simulated driver, and that grow. */
export function growingClaims(choose: Chooser): Step[] {
  const spec = {
    ...{ accessModes: [choose('ReadWriteOnce', 'ReadWriteOncePod')], resources: { requests: { storage: '1Gi' } } },
    ...choose<object>({}, { storageClassName: 'standard' }),
  };
  const grown = patched(`${CLAIMS}/a`, { spec: { resources: { requests: { storage: choose('1Gi', '3Gi') } } } });
  const users = choose(['user'], ['user', 'other']);
  return [
    created(CLAIMS, { name: 'a' }, { spec }),
    // Whether a volume must move depends on the node.
    ...users.map((name) => pod(name, { persistentVolumeClaim: { claimName: 'a' } }, ON_ONE_NODE)),
    grown,
    ...choose<Step[]>([], [removed(`${CLAIMS}/a`)], [removed(`${PODS}/user`), removed(`${CLAIMS}/a`)]),
  ];
}

/** What a StatefulSet has made for each of its pods. */
export function claimTemplates(choose: Chooser): object {
  const storageClassName = choose<object>({}, { storageClassName: 'standard' }, { storageClassName: CLASS });
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...storageClassName };
  return { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }] };
}
