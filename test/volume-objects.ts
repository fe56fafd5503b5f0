// Claims, volumes and classes for tests of what controllers do with them, and the events about them.

import assert from 'node:assert/strict';
import type { TestServer } from '../src/testing.ts';
import { items } from './pod-runner.ts';

export const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
export const VOLUMES = '/api/v1/persistentvolumes';
export const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
export const PODS = '/api/v1/namespaces/default/pods';

export interface StoredItem {
  metadata: {
    name: string;
    uid: string;
    annotations?: Record<string, string>;
    finalizers?: string[];
    deletionTimestamp?: string;
    ownerReferences?: { kind: string; name: string; controller?: boolean }[];
  };
  spec: Record<string, unknown> & { volumeName?: string; claimRef?: { name?: string; uid?: string } };
  status: Record<string, unknown> & { phase: string };
}

/** Creates an object and waits for what follows. */
export async function post(server: TestServer, path: string, body: object): Promise<void> {
  const answer = await server.request('POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  await server.cluster.settled();
}

export async function read(server: TestServer, path: string): Promise<StoredItem> {
  const answer = await server.request('GET', path);
  assert.equal(answer.status, 200, `${path}: ${answer.status}`);
  return answer.body as StoredItem;
}

export function claim(name: string, spec: object = {}, metadata: object = {}) {
  const resources = { requests: { storage: '1Gi' } };
  return { metadata: { name, ...metadata }, spec: { accessModes: ['ReadWriteOnce'], resources, ...spec } };
}

/** A volume of 1Gi at a path that kube-controller-manager may delete. */
export function volume(name: string, spec: object = {}, metadata: object = {}) {
  const source = { hostPath: { path: `/tmp/${name}` } };
  return {
    metadata: { name, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source, ...spec },
  };
}

/** A pod with one volume. */
export function podWith(name: string, source: object, spec: object = {}) {
  const containers = [{ name: 'main', image: 'nginx' }];
  return { metadata: { name }, spec: { containers, volumes: [{ name: 'data', ...source }], ...spec } };
}

/** The events about an object: `Reason: message`, in the order of their creation. */
export async function eventsAbout(server: TestServer, kind: string, name: string): Promise<string[]> {
  interface EventItem {
    involvedObject: { kind: string; name: string };
    reason: string;
    message: string;
  }
  const events = await items<EventItem>(server, '/api/v1/events');
  const about = events.filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name);
  return about.map(({ reason, message }) => `${reason}: ${message}`);
}
