// The interface by which verbs find the type of an object that a client or a webhook sends, and check it against the
// path. Objects of built-in kinds are read by the type that they name, custom objects as whatever they are; see
// typed-objects.ts and unstructured-objects.ts.

import type { ApiError } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { Steps } from '../base/steps.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import type { StructNode } from '../schema/node.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import type { FieldValidation } from './write-options.ts';

export interface ObjectTypes {
  /** The type of the body of a create or update. @throws ApiError 400 */
  ofBody(sent: SentObject): Steps<BodyType>;
  /** The type of a patched object. @throws ApiError 400 and 422 */
  ofPatched(patched: PatchedObject): Steps<PatchedType>;
  /** Checks the kind and version of a patched object, after its name. @throws ApiError 409, 422 and 500 */
  checkPatched(patched: PatchedObject, next: ApiObject): void;
  /** An object returned by admission, in a version of the resource. @throws ApiError 422 and 500 */
  ofAdmitted(admitted: AdmittedObject): AdmittedType;
  /** What can be read of it. @throws ApiError 500 */
  readable(object: JsonObject, isNew: boolean): JsonObject;
  /** Whether admission may ask that unknown fields are errors. */
  readonly checksAdmitted: boolean;
}

export interface SentObject {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  /** The apiVersion of the path. */
  readonly expected: string;
  readonly body: RequestBody;
  readonly value: JsonObject;
  readonly fieldValidation: FieldValidation;
}

export interface BodyType {
  readonly kind: string;
  readonly apiVersion: string;
  /** By which it is decoded. */
  readonly schema: StructNode;
  /** The kind that messages say it cannot be handled as. */
  readonly asKind: Pick<ResourceDefinition, 'kind'>;
  /** Why it is refused, once it has been decoded. */
  readonly refusal?: ApiError | undefined;
  /** Whether that comes before what field validation finds. */
  readonly isForeign?: boolean | undefined;
}

export interface PatchedObject {
  readonly request: ResourceRequest;
  /** Before the patch, in the version of the path. */
  readonly current: ApiObject;
  readonly patched: JsonObject;
  /** The apiVersion of the path. */
  readonly expected: string;
  /** Whether it is the result of a strategic merge patch, which cannot change kind and apiVersion. */
  readonly isStrategic: boolean;
  /** The text of a patch whose numbers nobody has checked; undefined if they have been checked. */
  readonly unchecked: string | undefined;
  /** The text that errors quote. */
  readonly quoted: () => string;
  /** The error for an object that is not one of the kind. */
  readonly invalid: (why: string) => ApiError;
  /** Reports unknown fields as field validation demands. @throws ApiError 422 */
  readonly tellUnknown: (faults: readonly string[]) => void;
}

export interface PatchedType {
  /** The object with the kind and apiVersion by which it is decoded. */
  readonly named: JsonObject;
  readonly schema: StructNode;
}

export interface AdmittedObject {
  readonly request: ResourceRequest;
  /** The version in which it was shown. */
  readonly version: ServedVersion;
  readonly object: JsonObject;
  /** Whether it is the Scale of a custom resource, whose errors have other words. */
  readonly isCustomScale: boolean;
}

export interface AdmittedType {
  readonly object: JsonObject;
  readonly version: ServedVersion;
}
