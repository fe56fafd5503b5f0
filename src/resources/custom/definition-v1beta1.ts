// Conversion of CustomResourceDefinitions to and from v1beta1. The version is no longer served, but kube-apiserver
// stores definitions in it: settings common to all versions are in spec, not in each version.

import { equalJson } from '../../api/json-equal.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';

/** Fields of a version that are in spec if they are equal in all versions; by their name in a version. */
const SHARED: readonly (readonly [inVersion: string, inSpec: string])[] = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
];

const V1BETA1 = 'apiextensions.k8s.io/v1beta1';

/** A v1 definition in v1beta1. Does not modify its argument; members may have any order. */
export function definitionToV1beta1(definition: ApiObject): ApiObject {
  const { versions: given, conversion, ...rest } = definition['spec'] as JsonObject;
  let versions = ((given ?? []) as JsonObject[]).map((version) => ({ ...version }));
  const spec: JsonObject = { preserveUnknownFields: false, ...rest };
  if (versions[0] !== undefined) spec['version'] = versions[0]['name'] as Json;
  for (const [inVersion, inSpec] of SHARED) {
    const first = ownMember(versions[0], inVersion);
    if (!versions.every((version) => sameOrEmpty(ownMember(version, inVersion), first))) continue;
    if (first !== undefined) spec[inSpec] = first;
    versions = versions.map((version) => without(version, inVersion));
  }
  spec['versions'] = versions.map((version) => renamed(version, columnsToV1beta1));
  if (conversion !== undefined) spec['conversion'] = conversionToV1beta1(conversion as JsonObject);
  return { ...definition, apiVersion: V1BETA1, spec: renamed(spec, columnsToV1beta1) };
}

/** A v1beta1 definition in v1. Does not modify its argument. */
export function definitionFromV1beta1(definition: ApiObject): ApiObject {
  const { versions: given, version: single, conversion, ...rest } = definition['spec'] as JsonObject;
  // Definitions of old clusters do not say it.
  const spec: JsonObject = { preserveUnknownFields: true, ...rest };
  let versions = (given ?? []) as JsonObject[];
  if (versions.length === 0 && typeof single === 'string') versions = [{ name: single, served: true, storage: true }];
  for (const [inVersion, inSpec] of SHARED) {
    const shared = ownMember(spec, inSpec);
    delete spec[inSpec];
    if (shared !== undefined) versions = versions.map((version) => ({ ...version, [inVersion]: shared }));
  }
  spec['versions'] = versions.map((version) => renamed(version, columnsFromV1beta1));
  if (conversion !== undefined) spec['conversion'] = conversionFromV1beta1(conversion as JsonObject);
  // v1 omits it if it is false.
  if (spec['preserveUnknownFields'] === false) delete spec['preserveUnknownFields'];
  return { ...definition, apiVersion: 'apiextensions.k8s.io/v1', spec };
}

function sameOrEmpty(one: Json | undefined, other: Json | undefined): boolean {
  const isEmpty = (value: Json | undefined) =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty(one) && isEmpty(other) ? true : equalJson(one, other);
}

function without(object: JsonObject, member: string): JsonObject {
  const { [member]: _, ...rest } = object;
  return rest;
}

function renamed(object: JsonObject, change: (columns: JsonObject[]) => JsonObject[]): JsonObject {
  const columns = object['additionalPrinterColumns'];
  return Array.isArray(columns) ? { ...object, additionalPrinterColumns: change(columns as JsonObject[]) } : object;
}

function columnsToV1beta1(columns: JsonObject[]): JsonObject[] {
  return columns.map(({ jsonPath, ...rest }) => ({ ...rest, JSONPath: jsonPath as Json }));
}

function columnsFromV1beta1(columns: JsonObject[]): JsonObject[] {
  return columns.map(({ JSONPath, ...rest }) => ({ ...rest, jsonPath: JSONPath as Json }));
}

function conversionToV1beta1({ webhook, ...rest }: JsonObject): JsonObject {
  if (webhook === undefined || webhook === null) return rest;
  const { clientConfig, conversionReviewVersions } = webhook as JsonObject;
  return {
    ...rest,
    ...(clientConfig === undefined ? {} : { webhookClientConfig: clientConfig }),
    ...(conversionReviewVersions === undefined ? {} : { conversionReviewVersions }),
  };
}

function conversionFromV1beta1({ webhookClientConfig, conversionReviewVersions, ...rest }: JsonObject): JsonObject {
  if (rest['strategy'] !== 'Webhook') return rest;
  const clientConfig = webhookClientConfig === undefined ? {} : { clientConfig: webhookClientConfig };
  const versions = (conversionReviewVersions ?? null) as Json;
  return { ...rest, webhook: { ...clientConfig, conversionReviewVersions: versions } };
}
