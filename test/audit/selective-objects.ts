// Requests under the selective policy: paths, media types and small objects.

import type { JsonObject } from '../../src/api/object.ts';
import type { Step } from './step.ts';

export const ONE = '/api/v1/namespaces/one';
export const MAPS = `${ONE}/configmaps`;
export const PODS = `${ONE}/pods`;
export const WIDGETS = '/apis/example.com/v1/namespaces/one/widgets';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** A step that creates something. */
export function post(name: string, path: string, body: JsonObject, more: Partial<Step> = {}): Step {
  return { name, method: 'POST', path, body, ...more };
}

/** A ConfigMap. */
export function map(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: 'maps' } }, data: { a: '1' } };
}

/** A pod without a service account token. */
export function pod(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
  };
}
