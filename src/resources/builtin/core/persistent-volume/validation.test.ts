// The rules of PersistentVolumes, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../../api/object.ts';

/** A sound PersistentVolume with these members of its spec. */
const volume = (spec: JsonObject): JsonObject => ({
  spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data/a' }, ...spec },
});
/** A PersistentVolume with these members of its spec, which has no source otherwise. */
const volumeOf = (source: JsonObject): JsonObject => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
});

refusals('persistentvolumes', [
  [
    'an empty object',
    {},
    'spec.accessModes: Required value',
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: null: supported values: "storage"',
    'spec: Required value: must specify a volume type',
  ],
  [
    'two sources',
    volume({ nfs: { server: 'a', path: '/b' } }),
    'spec.nfs: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'no source',
    { spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'] } },
    'spec: Required value: must specify a volume type',
  ],
  [
    'a capacity of something else than storage',
    volume({ capacity: { memory: '1Gi' } }),
    'spec.capacity: Unsupported value: {"memory":"1Gi"}: supported values: "storage"',
  ],
  [
    'a capacity of zero',
    volume({ capacity: { storage: '0' } }),
    'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
  ],
  ['no access modes', volume({ accessModes: [] }), 'spec.accessModes: Required value'],
  [
    'an empty access mode',
    volume({ accessModes: [''] }),
    'spec.accessModes: Unsupported value: "": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'ReadWriteOncePod beside other access modes',
    volumeOf({
      accessModes: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteOnce'],
      hostPath: { path: '/x' },
    }),
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  [
    'an unknown reclaim policy',
    volume({ persistentVolumeReclaimPolicy: 'Archive' }),
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Archive": supported values: "Delete", "Recycle", "Retain"',
  ],
  [
    'an unknown volume mode',
    volume({ volumeMode: 'Disk' }),
    'spec.volumeMode: Unsupported value: "Disk": supported values: "Block", "Filesystem"',
  ],
  [
    'a storage class name that is no subdomain',
    volume({ storageClassName: 'Fast' }),
    'spec.storageClassName: Invalid value: "Fast": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'a local volume without node affinity',
    {
      spec: {
        capacity: { storage: '1Ti' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'local',
        local: { path: '/mnt/disk1', fsType: 'xfs' },
      },
    },
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ],
  [
    'a node affinity without terms',
    {
      spec: {
        capacity: { storage: '1Ti' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'local',
        local: { path: '/mnt/disk1', fsType: 'xfs' },
        nodeAffinity: { required: { nodeSelectorTerms: [] } },
      },
    },
    'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'an empty VolumeAttributesClass without CSI',
    volumeOf({ hostPath: { path: '/x' }, storageClassName: 'a', volumeAttributesClassName: '' }),
    'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
    'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
  ],
]);
