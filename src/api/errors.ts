// All errors that are sent to clients: every unsuccessful response is an ApiError created here, with Kubernetes' status
// code, reason and message. docs/errors.md lists them, and errors.test.ts compares the two. Any other exception becomes
// a 500 whose details appear only in the log.

import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { eachOf, inParts, part } from '../base/resumed.ts';
import type { Steps } from '../base/steps.ts';
import { type GroupResource, qualified } from './group-version.ts';
import { PointedText, quotedOnce } from './quoted-value.ts';
import type { Status, StatusCause, StatusDetails } from './status.ts';

interface ApiErrorInit {
  readonly code: number;
  /** Undefined for the few errors without a reason in Kubernetes. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  /** Metadata of the Status (a new token for an expired list). */
  readonly metadata?: Status['metadata'];
  /** For the log, never for the client. */
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  readonly metadata: Status['metadata'];

  constructor(init: ApiErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.reason = init.reason;
    this.details = init.details;
    this.metadata = init.metadata ?? {};
  }

  /** The Status object for the client. */
  get status(): Status {
    const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: this.metadata, status: 'Failure' };
    if (this.message !== '') status.message = this.message;
    if (this.reason !== undefined) status.reason = this.reason;
    if (this.details !== undefined) status.details = this.details;
    status.code = this.code;
    return status;
  }
}

/** An error of one field, with Kubernetes' types and words: `spec.replicas: Invalid value: -1: must be …`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** The value as in the message; absent for types and messages that quote none. */
  readonly value?: unknown;
  readonly detail: string;
  /** The rule, for comparing declarative and hand-written validation. Not sent to clients. */
  readonly origin?: string;
  /** Whether a declarative rule covers it; false if none does, not even one about the same field. Not sent to clients. */
  readonly covered?: boolean;
  /** Of an error that an update may keep: the rule that was stricter or looser before. Not sent to clients. */
  readonly keepable?: string;
}

/** The errors of a rule. Lists are concatenated with `joined`. */
export type FieldErrors = readonly FieldError[];

export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

const FIELD_WORDS: Record<FieldErrorType, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

const WITHOUT_VALUE = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'InternalError',
]);

/**
 * The part of a field error after the field's name, which is also the message of its cause.
 *
 * @param quoted values quoted by other errors, so that a large one is formatted once
 */
export function fieldErrorBody(error: FieldError, quoted?: Map<unknown, string>): string {
  const words = FIELD_WORDS[error.type];
  const head =
    WITHOUT_VALUE.has(error.type) || !('value' in error) ? words : `${words}: ${quotedOnce(error.value, quoted)}`;
  return error.detail === '' ? head : `${head}: ${error.detail}`;
}

/**
 * Field errors as causes. Each error about an item of a list may quote the whole list, so beyond a limit they are
 * omitted: nobody reads them, and their size is quadratic in the number of items.
 */
function* collectingCauses(found: readonly FieldError[]): Steps<StatusCause[]> {
  const quoted = new Map<unknown, string>();
  const causes: StatusCause[] = [];
  let characters = 0;
  for (const error of found) {
    const message = fieldErrorBody(error, quoted);
    characters += message.length + error.field.length;
    if (characters > limits.fieldErrorCharacters && causes.length > 0) break;
    causes.push({ reason: error.type, message, field: error.field });
    if (causes.length % CAUSES_IN_STEP === 0) yield;
  }
  return causes;
}

const CAUSES_IN_STEP = 100;

/** Builders of field errors; `field` is the path in Kubernetes' form: `spec.ports[0].port`. */
export const fieldError = {
  required: (field: string, detail = ''): FieldError => ({ type: 'FieldValueRequired', field, detail }),
  invalid: (field: string, value: unknown, detail: string): FieldError => ({
    type: 'FieldValueInvalid',
    field,
    value,
    detail,
  }),
  /** Of a text that Go points at, which its messages quote as JSON does. */
  invalidPointer: (field: string, value: string, detail: string): FieldError =>
    fieldError.invalid(field, new PointedText(value), detail),
  /** An error about a field as a whole, without a value. */
  invalidAsWhole: (field: string, detail: string): FieldError => ({ type: 'FieldValueInvalid', field, detail }),
  forbidden: (field: string, detail: string): FieldError => ({ type: 'FieldValueForbidden', field, detail }),
  duplicate: (field: string, value: unknown): FieldError => ({ type: 'FieldValueDuplicate', field, value, detail: '' }),
  internal: (field: string, detail: string): FieldError => ({ type: 'InternalError', field, detail }),
  notFound: (field: string, value: unknown): FieldError => ({ type: 'FieldValueNotFound', field, value, detail: '' }),
  tooLong: (field: string, maxBytes: number): FieldError => ({
    type: 'FieldValueTooLong',
    field,
    detail:
      maxBytes < 0 ? 'value is too long' : `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`,
  }),
  tooMany: (field: string, count: number, max: number): FieldError => ({
    type: 'FieldValueTooMany',
    field,
    detail: `${count}: ${max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`}`,
  }),
  notSupported: (field: string, value: unknown, supported: readonly string[]): FieldError => ({
    type: 'FieldValueNotSupported',
    field,
    value,
    detail: supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  }),
};

interface Named extends GroupResource {
  readonly name: string;
}

/** The message of 409 for an outdated resource version. */
export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** The message of 410 for a list whose version or continue token has expired. */
export const LIST_TOO_OLD = 'The resourceVersion for the provided list is too old.';
export const TOKEN_TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** The message of 410 for a watch from an expired version. */
export function watchTooOld(revision: number, current: number): string {
  return `too old resource version: ${revision} (${current})`;
}

/** Constructors of errors. `resource` is the plural name unless stated otherwise. */
export const errors = {
  badRequest: (message: string, details?: StatusDetails, cause?: unknown) =>
    new ApiError({ code: 400, reason: 'BadRequest', message, details, cause }),

  unauthorized: () => new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),

  /** A forbidden resource request; `what` names verb, resource and scope as in Kubernetes. */
  forbidden: ({ group, resource, name }: Named, what: string) =>
    new ApiError({
      code: 403,
      reason: 'Forbidden',
      message:
        name === ''
          ? `${qualified(resource, group)} is forbidden: ${what}`
          : `${qualified(resource, group)} ${goQuote(name)} is forbidden: ${what}`,
      details: details({ group, kind: resource, name }),
    }),

  /** A create in a terminating namespace. */
  namespaceTerminating: ({ group, resource, name }: Named, namespace: string) =>
    new ApiError({
      code: 403,
      reason: 'Forbidden',
      message: `${qualified(resource, group)} ${goQuote(name)} is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
      details: {
        ...details({ group, kind: resource, name }),
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      },
    }),

  /** A forbidden non-resource path. */
  forbiddenPath: (what: string) =>
    new ApiError({ code: 403, reason: 'Forbidden', message: `forbidden: ${what}`, details: {} }),

  notFound: ({ group, resource, name }: Named) =>
    new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `${qualified(resource, group)} ${goQuote(name)} not found`,
      details: details({ group, kind: resource, name }),
    }),

  /** A watch of a list-only collection. */
  notWatchable: ({ group, resource }: GroupResource) =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: `watch is not supported on resources of kind "${qualified(resource, group)}"`,
      details: details({ group, kind: resource, name: '' }),
    }),

  /** A method that is not supported on a path of a custom resource. */
  notSupportedOn: (verb: string, { group, resource }: GroupResource) =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: `${verb} is not supported on resources of kind "${qualified(resource, group)}"`,
      details: details({ group, kind: resource, name: '' }),
    }),

  /** An unknown path below a served group. @param why appended to the message */
  noSuchPath: (why?: string) =>
    new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `the server could not find the requested resource${why === undefined ? '' : `: ${why}`}`,
      details: {},
    }),

  methodNotAllowed: () =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    }),

  notAcceptable: (accepted: readonly string[]) =>
    new ApiError({
      code: 406,
      reason: 'NotAcceptable',
      message: `only the following media types are accepted: ${accepted.join(', ')}`,
    }),

  unsupportedMediaType: (supported: readonly string[]) =>
    new ApiError({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`,
    }),

  /** A PATCH with an unknown Content-Type. */
  unsupportedPatchType: () =>
    new ApiError({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} }),

  /** The client accepts no media type of the route. */
  noRepresentation: (available: readonly string[]) =>
    new ApiError({
      code: 406,
      reason: 'NotAcceptable',
      message: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
      details: {},
    }),

  /** Not supported by this server yet; Kubernetes has no such error. */
  notImplemented: (what: string) =>
    new ApiError({
      code: 501,
      reason: 'NotImplemented',
      message: `${what} is not implemented by this server`,
      details: {},
    }),

  /** The name is taken, possibly by an object that is being deleted. */
  alreadyExists: ({ group, resource, name }: Named, deleting = false) =>
    new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      message: `${deleting ? 'object is being deleted: ' : ''}${qualified(resource, group)} ${goQuote(name)} already exists`,
      details: details({ group, kind: resource, name }),
    }),

  /** generateName found no unused name. */
  generateNameConflict: ({ group, resource, name }: Named) =>
    new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      message: `${qualified(resource, group)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
      details: { ...details({ group, kind: resource, name }), retryAfterSeconds: 1 },
    }),

  conflict: ({ group, resource, name }: Named, what: string) =>
    new ApiError({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${qualified(resource, group)} ${goQuote(name)}: ${what}`,
      details: details({ group, kind: resource, name }),
    }),

  /** Field errors of one object; `kind` is the kind, not the resource. */
  invalid: ({ group, kind, name }: { group: string; kind: string; name: string }, found: readonly FieldError[]) => {
    const causes = inParts(() => collectingCauses(found));
    const texts = eachOf(causes, ({ field, message }) => `${field}: ${message}`);
    if (causes.length < found.length) texts.push(`… and ${found.length - causes.length} more errors`);
    const unique = part(() => [...new Set(texts)]);
    return new ApiError({
      code: 422,
      reason: 'Invalid',
      message: `${qualified(kind, group)} ${goQuote(name)} is invalid: ${unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`}`,
      details: { ...details({ group, kind, name }), causes },
    });
  },

  /** A body or patch that was parsed but cannot be processed; Kubernetes' GenericServerResponse form of 422. */
  unprocessable: (message: string, statusDetails: StatusDetails = {}, cause?: unknown) =>
    new ApiError({ code: 422, reason: 'Invalid', message, details: statusDetails, cause }),

  expired: (message: string, metadata?: Status['metadata']) =>
    new ApiError({ code: 410, reason: 'Expired', message, metadata }),

  /** @param retryAfterSeconds absent if the resource is read from the store, which will not wait either */
  tooLargeResourceVersion: (requested: number | string, current: number, retryAfterSeconds?: number) =>
    new ApiError({
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      },
    }),

  timeout: (message: string) =>
    new ApiError({ code: 504, reason: 'Timeout', message: `Timeout: ${message}`, details: {} }),

  /** A request that timed out or whose client has gone. */
  abandoned: () => errors.timeout('request did not complete within requested timeout - context canceled'),

  bodyTooLarge: (message: string) => new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message }),

  tooManyRequests: (message: string, retryAfterSeconds: number) =>
    new ApiError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } }),

  serviceUnavailable: (message: string) => new ApiError({ code: 503, reason: 'ServiceUnavailable', message }),

  /** The few failures that Kubernetes reports with 500, a message and no reason. */
  unexplained: (message: string) => new ApiError({ code: 500, message }),

  /** Reported in the stream of a watch if the store does not respond in time. */
  deadlineExceeded: () => new ApiError({ code: 500, reason: 'InternalError', message: 'context deadline exceeded' }),

  internal: (message: string, cause?: unknown) =>
    new ApiError({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
      cause,
    }),
};

/** Details without empty fields. */
function details({ group, kind, name }: { group: string; kind: string; name: string }): StatusDetails {
  const out: StatusDetails = {};
  if (name !== '') out.name = name;
  if (group !== '') out.group = group;
  if (kind !== '') out.kind = kind;
  return out;
}
