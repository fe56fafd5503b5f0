// The rules of volumes that are made of files, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../../api/object.ts';

const WEB: JsonObject = { name: 'web', image: 'nginx:1.27' };
/** A sound pod with these members of its spec. */
const pod = (spec: JsonObject): JsonObject => ({
  spec: { automountServiceAccountToken: false, serviceAccountName: 'default', containers: [WEB], ...spec },
});
/** A pod with a volume of this source. */
const podWith = (source: JsonObject): JsonObject => pod({ volumes: [{ name: 'data-0', ...source }] });

refusals('pods', [
  [
    'a malformed name of the Secret of a CSI volume',
    podWith({ csi: { driver: 'd', nodePublishSecretRef: { name: 'A' } } }),
    "spec.volumes[0].csi.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'an absolute path of a file of a Secret',
    podWith({ secret: { secretName: 'a', items: [{ key: 'x', path: '/x' }] } }),
    'spec.volumes[0].secret.items[0].path: Invalid value: "/x": must be a relative path',
  ],
  [
    'a file mode that is out of range',
    podWith({ secret: { secretName: 'a', defaultMode: 512 } }),
    'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
  ],
  [
    'a path of a file of a ConfigMap that begins with two dots',
    podWith({ configMap: { name: 'a', items: [{ key: 'x', path: '..x' }] } }),
    'spec.volumes[0].configMap.items[0].path: Invalid value: "..x": must not start with \'..\'',
  ],
  [
    'a file of the downward API without a source',
    podWith({ downwardAPI: { items: [{ path: 'a' }] } }),
    'spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ],
  [
    'a field of the status in a file of the downward API',
    podWith({ downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'status.podIP' } }] } }),
    'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
  ],
  [
    'two kinds in one projected source',
    podWith({ projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'b' } }] } }),
    'spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
  ],
  [
    'a projected token that expires in less than ten minutes',
    podWith({ projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 599 } }] } }),
    'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  ],
  [
    'a path that two projected sources have',
    podWith({
      projected: {
        sources: [
          { secret: { name: 'a', items: [{ key: 'x', path: 'p' }] } },
          { configMap: { name: 'b', items: [{ key: 'y', path: 'p' }] } },
        ],
      },
    }),
    'spec.volumes[0].projected: Invalid value: "b": conflicting duplicate paths',
  ],
]);
