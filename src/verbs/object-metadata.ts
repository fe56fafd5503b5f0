// Metadata that the server sets on created and updated objects.

import { Buffer } from 'node:buffer';
import { errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import type { Random } from '../base/random.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Letters and digits that form no words; Kubernetes' alphabet for generated names. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const NAME_SUFFIX = 5;
const GENERATED_PREFIX = 58;

/** The body's namespace must match the path; if absent, it is set. @throws ApiError 400 */
export function settleNamespace(request: ResourceRequest, object: ApiObject): void {
  const { definition, namespace } = request;
  const given = object.metadata.namespace ?? '';
  if (!definition.namespaced) {
    if (given !== '') object.metadata.namespace = undefined;
    return;
  }
  if (given !== '' && namespace !== '' && given !== namespace) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  object.metadata.namespace = namespace;
}

/** The body's name must match the path. @throws ApiError 400 */
export function checkName(request: ResourceRequest, object: ApiObject): void {
  const given = object.metadata.name ?? '';
  if (given === '') {
    throw errors.badRequest(
      `the name of the object (${request.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== request.name) {
    throw errors.badRequest(`the name of the object (${given}) does not match the name on the URL (${request.name})`);
  }
}

/** A name for `generateName`: the prefix and five random characters. */
export function generatedName(prefix: string, random: Random): string {
  let name = prefix.slice(0, GENERATED_PREFIX);
  for (let count = 0; count < NAME_SUFFIX; count++) name += NAME_ALPHABET[random.below(NAME_ALPHABET.length)];
  return flat(name);
}

/** Removes what only the server sets from an object that a client wants to create. */
export function wipeServerMetadata({ metadata }: ApiObject): void {
  metadata.deletionTimestamp = undefined;
  metadata.deletionGracePeriodSeconds = undefined;
  metadata.creationTimestamp = undefined;
  metadata.uid = undefined;
  metadata.selfLink = undefined;
}

/** Identity and creation time of a new object; what a client sends is overwritten. */
export function fillNewMetadata(object: ApiObject, times: { now(): string }, random: Random): void {
  const { metadata } = object;
  metadata.uid = random.uuid();
  metadata.creationTimestamp = times.now();
  metadata.selfLink = undefined;
}

/** The same text as a flat string: concatenated strings make JSON several times slower to write. */
export function flat(text: string): string {
  return Buffer.from(text).toString();
}
