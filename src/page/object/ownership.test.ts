import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from './live-object.ts';
import { managerTitle, ownedPart, ownedPaths } from './ownership.ts';

const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    uid: 'u',
    resourceVersion: '1',
    finalizers: ['x', 'y'],
    managedFields: [
      {
        manager: 'kubectl',
        operation: 'Apply',
        fieldsV1: { 'f:spec': { 'f:containers': { 'k:{"name":"b"}': { '.': {}, 'f:image': {} } } } },
      },
      {
        manager: 'controller',
        operation: 'Update',
        subresource: 'status',
        fieldsV1: {
          'f:metadata': { 'f:finalizers': { 'v:"y"': {}, 'v:"gone"': {} } },
          'f:spec': { 'f:containers': { 'k:{"name":"b"}': { 'f:image': {} } } },
          'f:status': { 'f:phase': {} },
        },
      },
    ],
  },
  spec: { containers: [{ name: 'a' }, { name: 'b', image: 'i' }] },
} as unknown as ApiObject;

test('the fields of managedFields are found in the object by any form of list item key', () => {
  assert.deepEqual(ownedPaths(object), [
    { path: ['spec', 'containers', 1, 'image'], owners: [0, 1] },
    { path: ['metadata', 'finalizers', 1], owners: [1] },
  ]);
});

test('field managers are distinguished by operation and subresource', () => {
  assert.deepEqual(object.metadata.managedFields!.map(managerTitle), [
    'kubectl (Apply)',
    'controller (Update, status)',
  ]);
});

test('the fields of a manager are the part of the object that it would apply', () => {
  const value = {
    metadata: { finalizers: ['x', 'y'], labels: { a: 'b' } },
    spec: {
      paused: true,
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 80, protocol: 'UDP', name: 'dns' },
      ],
    },
  };
  const port = { '.': {}, 'f:name': {}, 'f:port': {} };
  const fields = {
    'f:metadata': { 'f:finalizers': { 'v:"x"': {}, 'v:"gone"': {} }, 'f:labels': { '.': {} } },
    'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"UDP"}': port, 'k:{"port":80,"protocol":"TCP"}': { '.': {} } } },
  };
  assert.deepEqual(ownedPart(value, fields), {
    metadata: { finalizers: ['x'], labels: {} },
    spec: {
      ports: [
        { port: 80, protocol: 'UDP', name: 'dns' },
        { port: 80, protocol: 'TCP' },
      ],
    },
  });
});
