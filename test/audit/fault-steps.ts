// Invalid requests, whose audit events have less or different information than those of valid ones.

import type { JsonObject } from '../../src/api/object.ts';
import type { Step } from './step.ts';

const MAPS = '/api/v1/namespaces/full/configmaps';
const GADGETS = '/apis/example.com/v1/namespaces/full/gadgets';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

function map(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' } };
}

export function faultSteps(): Step[] {
  return [
    { name: 'fault-object', method: 'POST', path: MAPS, body: map('whole') },
    ...options(),
    ...answers(),
    ...places(),
    ...bodies(),
  ];
}

/** The body is only logged if its options are allowed. */
function options(): Step[] {
  const patch = (name: string, query: string): Step => {
    return { name, method: 'PATCH', path: `${MAPS}/whole?${query}`, type: MERGE, body: '{"data":{"b":"1"}}' };
  };
  const remove = (name: string, body: JsonObject): Step => ({ name, method: 'DELETE', path: `${MAPS}/whole`, body });
  return [
    patch('patch-forced', 'force=true'),
    patch('patch-dry-run', 'dryRun=Some'),
    { name: 'apply-nobody', method: 'PATCH', path: `${MAPS}/whole`, type: APPLY, body: map('whole') },
    remove('delete-kind', { kind: 'ConfigMap', apiVersion: 'v1' }),
    remove('delete-policy', { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'None' }),
  ];
}

/** A Status is only logged if the client accepts a format that it can be written in. */
function answers(): Step[] {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  return [
    { name: 'missing-as-table', path: `${MAPS}/missing`, headers: { accept: table } },
    { name: 'missing-as-table-or-json', path: `${MAPS}/missing`, headers: { accept: `${table},application/json` } },
    {
      name: 'partials-of-one',
      path: `${MAPS}/whole`,
      headers: { accept: table.replace('Table', 'PartialObjectMetadataList') },
    },
    {
      name: 'fault-definition',
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      headers: { 'audit-id': '00000000-definition' },
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'gadgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'gadgets', kind: 'Gadget' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
    },
    { name: 'fault-definition-pause', path: '' },
    { name: 'custom-as-protobuf', path: GADGETS, headers: { accept: PROTOBUF } },
    { name: 'custom-as-text', path: GADGETS, headers: { accept: 'text/plain' } },
  ];
}

function places(): Step[] {
  const version = (name: string, headers: Record<string, string>): Step => ({ name, path: '/version', headers });
  return [
    { name: 'slashes-in-front', path: `//${MAPS}/whole` },
    { name: 'slashes-behind', path: `${MAPS}/whole//` },
    { name: 'slashes-between', path: '//api//v1/namespaces/full' },
    version('forwarded-forms', {
      'x-forwarded-for': '2001:DB8::0001, ::ffff:1.2.3.4, fe80::1%eth0, 010.1.1.1, [::2]',
      'x-real-ip': '0:0:0:0:0:0:0:9',
    }),
    // Each character of a header is a byte: the first of these are UTF-8.
    version('agent-bytes', { 'user-agent': 'a<b> "\u00c3\u00a9" \u00e9' }),
    version('agent-cut', { 'user-agent': `${'x'.repeat(1_023)}\u00c3\u00a9` }),
  ];
}

function bodies(): Step[] {
  const part = '{"apiVersion":';
  return [
    { name: 'yaml-garbage', method: 'POST', path: MAPS, type: 'application/yaml', body: 'a: [' },
    {
      name: 'yaml-version',
      method: 'POST',
      path: MAPS,
      type: 'application/yaml',
      body: 'apiVersion: a/b/c\nkind: ConfigMap',
    },
    { name: 'cut-create', method: 'POST', path: MAPS, body: part, isCut: true },
    { name: 'cut-patch', method: 'PATCH', path: `${MAPS}/whole`, type: MERGE, body: part, isCut: true },
    { name: 'cut-delete', method: 'DELETE', path: `${MAPS}/whole`, body: part, isCut: true },
  ];
}
