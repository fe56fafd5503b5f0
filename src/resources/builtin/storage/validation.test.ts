// The rules of classes, attachments and drivers of volumes, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../api/object.ts';

/** A sound StorageClass with these members. */
const storageClass = (more: JsonObject): JsonObject => ({
  provisioner: 'csi.example.com',
  parameters: { type: 'ssd' },
  reclaimPolicy: 'Retain',
  mountOptions: ['debug'],
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
  ...more,
});
const attachment = (spec: JsonObject): JsonObject => ({ spec });
const INLINE: JsonObject = {
  accessModes: ['ReadWriteOnce'],
  capacity: { storage: '1Gi' },
  csi: { driver: 'csi.example.com', volumeHandle: 'a' },
};
/** A CSINode with these drivers. */
const csiNode = (...drivers: JsonObject[]): JsonObject => ({ spec: { drivers } });
/** A sound driver with these members. */
const driver = (more: JsonObject = {}): JsonObject => ({
  name: 'csi.example.com',
  nodeID: 'n1',
  topologyKeys: ['zone'],
  allocatable: { count: 5 },
  ...more,
});

refusals('storageclasses.storage.k8s.io', [
  [
    'a provisioner that is no qualified name',
    storageClass({ provisioner: 'Not_Valid!' }),
    'provisioner: Invalid value: "not_valid!": name part must consist',
  ],
  [
    'an unknown reclaim policy',
    storageClass({ reclaimPolicy: 'Not_Valid!' }),
    'reclaimPolicy: Unsupported value: "Not_Valid!": supported values: "Delete", "Retain"',
  ],
  [
    'an unknown volume binding mode',
    storageClass({ volumeBindingMode: 'Not_Valid!' }),
    'volumeBindingMode: Unsupported value: "Not_Valid!": supported values: "Immediate", "WaitForFirstConsumer"',
  ],
  [
    'an empty topology',
    storageClass({ allowedTopologies: [{}] }),
    'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
  ],
  [
    'a topology without a key',
    storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ values: ['a', 'b'] }] }] }),
    'allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "": name part must be non-empty',
    'allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "": name part must consist',
  ],
  [
    'a topology with the same value twice',
    storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b', 'a'] }] }] }),
    'allowedTopologies[0].matchLabelExpressions[0].values[2]: Duplicate value: "a"',
  ],
]);

refusals('volumeattachments.storage.k8s.io', [
  [
    'no source',
    attachment({ attacher: 'csi.example.com', nodeName: 'n1', source: {} }),
    'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
  ],
  [
    'a volume by name and inline',
    attachment({
      attacher: 'csi.example.com',
      nodeName: 'n1',
      source: { persistentVolumeName: 'pv-1', inlineVolumeSpec: INLINE },
    }),
    'spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
  ],
  [
    'the capacity of an inline volume',
    attachment({ attacher: 'csi.example.com', nodeName: 'n1', source: { inlineVolumeSpec: INLINE } }),
    'spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes',
  ],
  [
    'no attacher',
    attachment({ nodeName: 'n1', source: { persistentVolumeName: 'pv-1' } }),
    'spec.attacher: Required value',
    'spec.attacher: Required value',
    'spec.attacher: Invalid value: "": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'no node',
    attachment({ attacher: 'csi.example.com', source: { persistentVolumeName: 'pv-1' } }),
    'spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'a volume name that is no subdomain',
    attachment({ attacher: 'csi.example.com', nodeName: 'n1', source: { persistentVolumeName: 'Not_Valid!' } }),
    'spec.source.persistentVolumeName: Invalid value: "Not_Valid!": a lowercase RFC 1123 subdomain must consist of',
  ],
]);

refusals('csinodes.storage.k8s.io', [
  [
    'a negative number of volumes',
    csiNode(driver({ allocatable: { count: -1 } })),
    'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['a driver twice', csiNode(driver(), driver()), 'spec.drivers[1].name: Duplicate value: "csi.example.com"'],
  [
    'a driver without name and node',
    csiNode({}),
    'spec.drivers[0].name: Required value',
    'spec.drivers[0].name: Invalid value: "": a lowercase RFC 1123 subdomain must consist of',
    'spec.drivers[0].nodeID: Required value',
  ],
  [
    'a topology key twice',
    csiNode(driver({ topologyKeys: ['zone', 'zone'] })),
    'spec.drivers[0]: Duplicate value: "zone"',
  ],
  [
    'a topology key that is no qualified name',
    csiNode(driver({ topologyKeys: ['Not_Valid!'] })),
    'spec.drivers[0]: Invalid value: "Not_Valid!": name part must consist',
  ],
]);

refusals('csistoragecapacities.storage.k8s.io', [
  [
    'a negative capacity',
    {
      storageClassName: 'fast',
      capacity: '-1',
      maximumVolumeSize: '10Gi',
      nodeTopology: { matchLabels: { zone: 'a' } },
    },
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'an unknown operator in the topology of nodes',
    {
      storageClassName: 'fast',
      capacity: '100Gi',
      maximumVolumeSize: '10Gi',
      nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
    },
    'nodeTopology.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
  ],
]);

refusals('volumeattributesclasses.storage.k8s.io', [
  [
    'no parameters',
    { driverName: 'csi.example.com' },
    'parameters: Required value: must contain at least one key/value pair',
  ],
  [
    'a parameter without a name',
    { driverName: 'csi.example.com', parameters: { '': 'a' } },
    'parameters: Invalid value: "": field can not be empty.',
  ],
]);
