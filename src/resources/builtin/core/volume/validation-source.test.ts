// The rules of volume sources in pods and PersistentVolumes, with the errors that kube-apiserver has recorded.

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
    'a host path that climbs',
    volume({ hostPath: { path: '/a/../b' } }),
    'spec.hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
  ],
  [
    'an unknown type of host path',
    volume({ hostPath: { path: '/data/a', type: 'Folder' } }),
    'spec.hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ],
  [
    'a name of an iSCSI target that is malformed',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadOnlyMany'],
        iscsi: { targetPortal: '192.0.2.1:3260', iqn: 'disk', lun: 1, initiatorName: 'iqn.2020-01.com.example:init' },
      },
    },
    'spec.iscsi.iqn: Invalid value: "disk": must be valid format',
  ],
  [
    'an iSCSI unit that is out of range',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadOnlyMany'],
        iscsi: {
          targetPortal: '192.0.2.1:3260',
          iqn: 'iqn.2020-01.com.example:disk',
          lun: 256,
          initiatorName: 'iqn.2020-01.com.example:init',
        },
      },
    },
    'spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
  ],
  [
    'a partition of an EBS disk that is out of range',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        awsElasticBlockStore: { volumeID: 'vol-1', partition: 256 },
      },
    },
    'spec.awsElasticBlockStore.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ],
  [
    'a partition of a GCE disk that is out of range',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        gcePersistentDisk: { pdName: 'a', partition: 300 },
      },
    },
    'spec.persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
  ],
  [
    'a reserved option of a Flex volume',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        flexVolume: { driver: 'example.com/a', options: { 'kubernetes.io/fsType': 'ext4' } },
      },
    },
    'spec.flexVolume.options[kubernetes.io/fsType]: Invalid value: "kubernetes.io/fsType": kubernetes.io and k8s.io namespaces are reserved',
  ],
  [
    'an empty Fibre Channel volume',
    volumeOf({ fc: {} }),
    'spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
  ],
  [
    'both kinds of names of a Fibre Channel volume',
    volumeOf({ fc: { targetWWNs: ['a'], wwids: ['b'] } }),
    'spec.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
    'spec.fc.lun: Required value: lun is required if targetWWNs is specified',
  ],
  [
    'a Fibre Channel unit that is out of range',
    volumeOf({ fc: { targetWWNs: ['a'], lun: -1 } }),
    'spec.fc.lun: Invalid value: -1: must be between 0 and 255, inclusive',
  ],
]);
