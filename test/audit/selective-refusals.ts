// Rejected requests under the selective policy: media types, bodies, methods and options.

import type { JsonObject } from '../../src/api/object.ts';
import { MAPS, MERGE, map, PROTOBUF, post, WIDGETS } from './selective-objects.ts';
import type { Step } from './step.ts';

/** Requests that are rejected because of their contents. */
export function refusals(): Step[] {
  return [
    post('unsupported', MAPS, 'x' as unknown as JsonObject, { type: 'text/plain' }),
    { name: 'unacceptable', path: `${MAPS}/m`, headers: { accept: 'text/plain' } },
    { name: 'unacceptable-list', path: MAPS, headers: { accept: 'application/json;as=Nothing;v=v1;g=x' } },
    post('wrong-kind', MAPS, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }),
    post('wrong-version', MAPS, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'x' } }),
    post('no-kind', MAPS, { metadata: { name: 'nokind' } }),
    post('wrong-type', MAPS, { ...map('typed'), data: { a: 1 } } as JsonObject),
    post('strict', `${MAPS}?fieldValidation=Strict`, { ...map('strict'), unknown: 1 }),
    post('nobody', MAPS, '' as unknown as JsonObject),
    post('widget-invalid', WIDGETS, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'x' },
      spec: 'text',
    }),
    post('widget-kind', WIDGETS, { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'x' } }),
    {
      name: 'put-missing',
      method: 'PUT',
      path: `${MAPS}/missing`,
      body: { ...map('missing'), metadata: { name: 'missing', uid: 'u' } },
    },
    { name: 'put-name', method: 'PUT', path: `${MAPS}/m`, body: map('other') },
    {
      name: 'put-version',
      method: 'PUT',
      path: `${MAPS}/m`,
      body: { ...map('m'), metadata: { name: 'm', resourceVersion: '1' } },
    },
    { name: 'put-collection', method: 'PUT', path: MAPS, body: map('m') },
    { name: 'post-object', method: 'POST', path: `${MAPS}/m`, body: map('m') },
    { name: 'patch-collection', method: 'PATCH', path: MAPS, type: MERGE, body: '{}' },
    { name: 'method', method: 'TRACE', path: MAPS },
    { name: 'list-bad', path: `${MAPS}?limit=x` },
    { name: 'list-selector', path: `${MAPS}?labelSelector=a%20b` },
    { name: 'list-field', path: `${MAPS}?fieldSelector=data.a%3D1` },
    { name: 'list-version', path: `${MAPS}?resourceVersion=0&resourceVersionMatch=Exact` },
    { name: 'list-continue', path: `${MAPS}?continue=abc` },
    { name: 'list-match', path: `${MAPS}?resourceVersionMatch=NotOlderThan` },
    { name: 'watch-bad', path: `${MAPS}?watch=1&resourceVersion=x` },
    { name: 'watch-widgets', path: `${WIDGETS}?watch=1&timeoutSeconds=1` },
    { name: 'watch-missing', path: '/apis/example.com/v1/nothings?watch=1' },
    { name: 'watch-one', path: `${MAPS}/m?watch=1&timeoutSeconds=1` },
    { name: 'create-manager', method: 'POST', path: `${MAPS}?fieldManager=${'x'.repeat(130)}`, body: map('managed') },
    { name: 'gone-namespace', method: 'POST', path: '/api/v1/namespaces/none/configmaps', body: map('x') },
    {
      name: 'in-yaml',
      method: 'POST',
      path: MAPS,
      type: 'application/yaml',
      headers: { accept: 'application/yaml' },
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\n',
    },
    { name: 'in-protobuf', path: `${MAPS}/none`, headers: { accept: PROTOBUF } },
  ];
}
