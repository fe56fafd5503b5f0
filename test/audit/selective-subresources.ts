// Requests under the selective policy to subresources, and reviews.

import type { JsonObject } from '../../src/api/object.ts';
import { MERGE, ONE, PODS, pod, post, STRATEGIC, WIDGETS } from './selective-objects.ts';
import type { Step } from './step.ts';

/** Requests to the subresources of pods. */
export function podSubresources(): Step[] {
  const to = (name: string, path: string, more: Partial<Step> = {}): Step => {
    return { name: `pod-${name}`, path: `${PODS}/${path}`, ...more };
  };
  const body = (kind: string, apiVersion: string, rest: JsonObject): JsonObject => ({
    kind,
    apiVersion,
    metadata: { name: 'p' },
    ...rest,
  });
  return [
    to('status', 'p/status'),
    to('status-put', 'p/status', { method: 'PUT', body: { ...pod('p'), status: { phase: 'Pending' } } }),
    to('status-patch', 'p/status', { method: 'PATCH', type: MERGE, body: '{"status":{"message":"m"}}' }),
    to('log', 'p/log?follow=true&tailLines=1'),
    to('log-bad', 'p/log?tailLines=-1'),
    to('log-number', 'p/log?tailLines=x'),
    to('ephemeral', 'p/ephemeralcontainers', {
      method: 'PATCH',
      type: STRATEGIC,
      body: '{"spec":{"ephemeralContainers":[{"name":"e","image":"i"}]}}',
    }),
    to('ephemeral-get', 'p/ephemeralcontainers'),
    to('resize', 'p/resize', { method: 'PATCH', type: STRATEGIC, body: '{"spec":{"containers":[{"name":"c"}]}}' }),
    to('resize-put', 'p/resize', { method: 'PUT', body: pod('other') }),
    to('exec-get', 'p/exec?command=ls'),
    to('attach', 'p/attach', { method: 'POST' }),
    to('portforward', 'p/portforward?ports=80', { method: 'POST' }),
    to('proxy', 'p/proxy'),
    to('proxy-path', 'p:80/proxy/a%20b?c=d', { method: 'PUT', body: { a: 1 } }),
    to('proxy-head', 'p/proxy/', { method: 'HEAD' }),
    to('proxy-patch', 'p/proxy/x', { method: 'PATCH', type: MERGE, body: '{}' }),
    to('proxy-options', 'p/proxy/x', { method: 'OPTIONS' }),
    to('proxy-delete', 'p/proxy/x', { method: 'DELETE' }),
    to('nothing', 'p/nothing'),
    to('nothing-put', 'p/nothing', { method: 'PUT', body: { a: 1 } }),
    to('binding', 'p/binding', {
      method: 'POST',
      body: body('Binding', 'v1', { target: { kind: 'Node', name: 'n' } }),
    }),
    to('binding-again', 'p/binding', {
      method: 'POST',
      body: body('Binding', 'v1', { target: { kind: 'Node', name: 'n' } }),
    }),
    {
      name: 'bindings',
      method: 'POST',
      path: `${ONE}/bindings`,
      body: body('Binding', 'v1', { target: { name: 'n' } }),
    },
    to('log-bound', 'p/log'),
    to('exec-bound', 'p/exec?command=ls&container=none', { method: 'POST' }),
    to('evict', 'p/eviction', {
      method: 'POST',
      body: body('Eviction', 'policy/v1', { deleteOptions: { dryRun: ['All'] } }),
    }),
    to('evict-other', 'p/eviction', {
      method: 'POST',
      body: { ...body('Eviction', 'policy/v1', {}), metadata: { name: 'q' } },
    }),
    to('delete', 'p?gracePeriodSeconds=5', { method: 'DELETE' }),
    to('delete-again', 'p', { method: 'DELETE', body: { gracePeriodSeconds: 0, preconditions: { uid: 'other' } } }),
    to('delete-now', 'p', {
      method: 'DELETE',
      type: 'application/yaml',
      body: 'kind: DeleteOptions\napiVersion: v1\ngracePeriodSeconds: 0\npropagationPolicy: Foreground\n',
    }),
  ];
}

/** Requests to subresources of other kinds. */
export function otherSubresources(): Step[] {
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'w', namespace: 'one' } };
  const request = `${ONE}/serviceaccounts/default/token`;
  return [
    { name: 'service-proxy', path: `${ONE}/services/s/proxy/x` },
    { name: 'service-proxy-scheme', path: `${ONE}/services/https:s:80/proxy/x/y?z=1` },
    { name: 'service-status', path: `${ONE}/services/s/status` },
    { name: 'node-proxy', path: '/api/v1/nodes/n/proxy/logs' },
    { name: 'node-status', method: 'PATCH', path: '/api/v1/nodes/n/status', type: MERGE, body: '{"status":{}}' },
    { name: 'old-proxy', path: '/api/v1/proxy/nodes/n/logs' },
    {
      name: 'widget-status',
      method: 'PATCH',
      path: `${WIDGETS}/w/status`,
      type: MERGE,
      body: '{"status":{"replicas":1}}',
    },
    { name: 'widget-scale', path: `${WIDGETS}/w/scale` },
    { name: 'widget-scale-put', method: 'PUT', path: `${WIDGETS}/w/scale`, body: { ...scale, spec: { replicas: 4 } } },
    {
      name: 'widget-scale-patch',
      method: 'PATCH',
      path: `${WIDGETS}/w/scale`,
      type: MERGE,
      body: '{"spec":{"replicas":5}}',
    },
    { name: 'widget-old', path: WIDGETS.replace('v1', 'v1beta1') },
    { name: 'widget-old-put', method: 'DELETE', path: `${WIDGETS.replace('v1', 'v1beta1')}/missing` },
    { name: 'deployment-status', path: '/apis/apps/v1/namespaces/one/deployments/d/status' },
    {
      name: 'deployment-scale',
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/one/deployments/d/scale',
      type: MERGE,
      body: '{"spec":{"replicas":7}}',
    },
    post('token', request, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 700 },
    }),
    post('token-short', request, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 7 },
    }),
    post('token-bound', request, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'missing' } },
    }),
    {
      name: 'namespace-finalize',
      method: 'PUT',
      path: `${ONE}/finalize`,
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
    },
    { name: 'namespace-status', path: `${ONE}/status` },
  ];
}

/** Reviews, which are not stored. */
export function reviews(): Step[] {
  const authorization = '/apis/authorization.k8s.io/v1';
  const api = { apiVersion: 'authorization.k8s.io/v1' };
  return [
    post('access', `${authorization}/subjectaccessreviews`, {
      ...api,
      kind: 'SubjectAccessReview',
      spec: { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } },
    }),
    post('access-none', `${authorization}/subjectaccessreviews`, { ...api, kind: 'SubjectAccessReview', spec: {} }),
    post('access-local', `${authorization}/namespaces/one/localsubjectaccessreviews`, {
      ...api,
      kind: 'LocalSubjectAccessReview',
      metadata: { namespace: 'one' },
      spec: { user: 'x', resourceAttributes: { namespace: 'one', verb: 'get', resource: 'pods' } },
    }),
    post('token-review', '/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'nothing' },
    }),
  ];
}
