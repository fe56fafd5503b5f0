import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { describedModel, describedType, typeDescriptions } from './type-descriptions.ts';

test('a declaration tells what a type and its members are for', () => {
  const type = describedType(`import { X } from './x.js';
/**
* A thing.
*/
export declare class V1Thing {
    /**
    * Says \\"yes\\" or \\'no\\'.  In C:\\\\\\\\Windows, too.
    */
    '_default'?: string;
    /**
    * Ends with *_/ here.
    */
    'x_kubernetes_map_type'?: string;
    'plain'?: string;
}
`);
  assert.deepEqual(type, {
    text: 'A thing.',
    members: { default: `Says "yes" or 'no'.\n\nIn C:\\Windows, too.`, 'x-kubernetes-map-type': 'Ends with */ here.' },
  });
});

test('a declaration of the models tells the same, with its lines and under the names that the client may use', () => {
  const model = describedModel(`import { X } from "./x.js";
/**
 * A thing.
 */
export interface IThing {
    /**
     * One of:
     *   - a
     *
     * Or nothing.
     */
    "kind"?: X;
    "plain"?: string;
}
export type { IThing as IIoK8sApiCoreV1Thing, Thing as IoK8sApiCoreV1Thing };
`);
  assert.deepEqual(model, {
    names: ['CoreV1Thing', 'V1Thing'],
    text: 'A thing.',
    members: { kind: 'One of:\n  - a\n\nOr nothing.' },
  });
});

test('the client has words for the types of v1.34', () => {
  const { types, version } = typeDescriptions(join(import.meta.dirname, '..'));
  assert.match(version, /^@kubernetes\/client-node 1\.4\./);
  assert.equal(
    types['V1Pod']?.text,
    'Pod is a collection of containers that can run on a host. This resource is created by clients and scheduled onto hosts.',
  );
  assert.match(
    types['V1PodSpec']?.members['dnsPolicy'] ?? '',
    /Defaults to "ClusterFirst"\. Valid values are 'ClusterFirstWithHostNet'/,
  );
  const stray = Object.values(types)
    .flatMap(({ members }) => Object.values(members))
    .filter((text) => /\\["']/.test(text));
  assert.ok(stray.length < 10, `${stray.length} descriptions with stray backslashes`);
  // Kubernetes does not describe this member, and the client gives it the words of its type.
  assert.equal(types['V1JSONSchemaProps']?.members['additionalItems'], undefined);
  // The client leaves these out, and the models add them.
  assert.match(types['V1Pod']?.members['spec'] ?? '', /^Specification of the desired behavior of the pod\./);
  assert.match(types['V1HTTPGetAction']?.members['port'] ?? '', /^Name or number of the port/);
  assert.match(types['V1ServicePort']?.members['protocol'] ?? '', /\n\nPossible enum values:\n - `"SCTP"`/);
});
