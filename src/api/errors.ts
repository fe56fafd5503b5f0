// The one error registry: every answer that is not success is an ApiError made here, with the status code, reason and
// words of Kubernetes. docs/errors.md lists them; errors.test.ts checks the two against each other. Anything thrown
// that is not an ApiError is answered as a 500 whose detail goes to the log alone.

import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { type GroupResource, qualified } from './group-version.ts';
import { quotedOnce } from './quoted-value.ts';
import type { Status, StatusCause, StatusDetails } from './status.ts';

interface ApiErrorInit {
  readonly code: number;
  /** Undefined for the few answers that Kubernetes gives without a reason. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  /** Goes in the Status' metadata (a replacement token of an expired list). */
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

  /** The Status object that the client gets. */
  get status(): Status {
    const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: this.metadata, status: 'Failure' };
    if (this.message !== '') status.message = this.message;
    if (this.reason !== undefined) status.reason = this.reason;
    if (this.details !== undefined) status.details = this.details;
    status.code = this.code;
    return status;
  }
}

/** One fault of one field, in Kubernetes' types and words: `spec.replicas: Invalid value: -1: must be …`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** The value as it stands in the message; not there for types that quote none and where a message names none. */
  readonly value?: unknown;
  readonly detail: string;
  /** Which rule found it, where declared rules and those in code are compared. Clients are not told. */
  readonly origin?: string;
  /** Whether a declared rule finds it, too. Clients are not told. */
  readonly covered?: true;
}

/** What a rule finds. The lists of several are put together with `joined`. */
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
 * The part of a field error behind the field's name, which is also its cause's message.
 *
 * @param quoted values that other errors quoted, by which a large one is written once
 */
export function fieldErrorBody(error: FieldError, quoted?: Map<unknown, string>): string {
  const words = FIELD_WORDS[error.type];
  const head =
    WITHOUT_VALUE.has(error.type) || !('value' in error) ? words : `${words}: ${quotedOnce(error.value, quoted)}`;
  return error.detail === '' ? head : `${head}: ${error.detail}`;
}

/**
 * Field errors as causes. A list that has many wrong items is quoted by each of their errors: past a bound they are
 * left out, since nobody reads them and they would grow with the square of the items.
 */
function causesOf(found: readonly FieldError[]): StatusCause[] {
  const quoted = new Map<unknown, string>();
  const causes: StatusCause[] = [];
  let characters = 0;
  for (const error of found) {
    const message = fieldErrorBody(error, quoted);
    characters += message.length + error.field.length;
    if (characters > limits.fieldErrorCharacters && causes.length > 0) break;
    causes.push({ reason: error.type, message, field: error.field });
  }
  return causes;
}

/** Field errors as builders; `field` is the path as Kubernetes writes it: `spec.ports[0].port`. */
export const fieldError = {
  required: (field: string, detail = ''): FieldError => ({ type: 'FieldValueRequired', field, detail }),
  invalid: (field: string, value: unknown, detail: string): FieldError => ({
    type: 'FieldValueInvalid',
    field,
    value,
    detail,
  }),
  /** What is wrong with a field as a whole, so that no value is quoted. */
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
  tooMany: (field: string, max: number): FieldError => ({
    type: 'FieldValueTooMany',
    field,
    detail: max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
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

/** What a 409 says of a write to another version than the newest. */
export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** What a 410 says of a list whose version, or whose continue token, is no longer kept. */
export const LIST_TOO_OLD = 'The resourceVersion for the provided list is too old.';
export const TOKEN_TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** What a 410 says of a watch from a version that is no longer kept. */
export function watchTooOld(revision: number, current: number): string {
  return `too old resource version: ${revision} (${current})`;
}

/** The errors by what happened. `resource` is the plural name unless said otherwise. */
export const errors = {
  badRequest: (message: string, details?: StatusDetails, cause?: unknown) =>
    new ApiError({ code: 400, reason: 'BadRequest', message, details, cause }),

  unauthorized: () => new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),

  /**
   * A request for a resource that the caller may not make; `what` names verb, resource and scope as Kubernetes
   * does.
   */
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

  /** A creation in a namespace that is on its way out. */
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

  /** A path that is not a resource. */
  forbiddenPath: (what: string) =>
    new ApiError({ code: 403, reason: 'Forbidden', message: `forbidden: ${what}`, details: {} }),

  notFound: ({ group, resource, name }: Named) =>
    new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `${qualified(resource, group)} ${goQuote(name)} not found`,
      details: details({ group, kind: resource, name }),
    }),

  /** A watch of a collection that can only be listed. */
  notWatchable: ({ group, resource }: GroupResource) =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: `watch is not supported on resources of kind "${qualified(resource, group)}"`,
      details: details({ group, kind: resource, name: '' }),
    }),

  /** A method that a path of a custom resource does not have. */
  notSupportedOn: (verb: string, { group, resource }: GroupResource) =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: `${verb} is not supported on resources of kind "${qualified(resource, group)}"`,
      details: details({ group, kind: resource, name: '' }),
    }),

  /** A path below a served group that names nothing served. */
  noSuchPath: () =>
    new ApiError({
      code: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
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

  /** A PATCH whose content type names no kind of patch. */
  unsupportedPatchType: () =>
    new ApiError({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} }),

  /** Nothing that the route could answer with is accepted. */
  noRepresentation: (available: readonly string[]) =>
    new ApiError({
      code: 406,
      reason: 'NotAcceptable',
      message: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
      details: {},
    }),

  /** What this server does not do yet; Kubernetes has no such answer. */
  notImplemented: (what: string) =>
    new ApiError({
      code: 501,
      reason: 'NotImplemented',
      message: `${what} is not implemented by this server`,
      details: {},
    }),

  /** The name is taken, perhaps by an object that is on its way out. */
  alreadyExists: ({ group, resource, name }: Named, deleting = false) =>
    new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      message: `${deleting ? 'object is being deleted: ' : ''}${qualified(resource, group)} ${goQuote(name)} already exists`,
      details: details({ group, kind: resource, name }),
    }),

  /** generateName found no free name. */
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
    const causes = causesOf(found);
    const texts = causes.map(({ field, message }) => `${field}: ${message}`);
    if (causes.length < found.length) texts.push(`… and ${found.length - causes.length} more errors`);
    const unique = [...new Set(texts)];
    return new ApiError({
      code: 422,
      reason: 'Invalid',
      message: `${qualified(kind, group)} ${goQuote(name)} is invalid: ${unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`}`,
      details: { ...details({ group, kind, name }), causes },
    });
  },

  /** A body or patch that could be read but not worked with; Kubernetes' GenericServerResponse form of 422. */
  unprocessable: (message: string, statusDetails: StatusDetails = {}, cause?: unknown) =>
    new ApiError({ code: 422, reason: 'Invalid', message, details: statusDetails, cause }),

  expired: (message: string, metadata?: Status['metadata']) =>
    new ApiError({ code: 410, reason: 'Expired', message, metadata }),

  /** @param retryAfterSeconds left out where the resource is read from the store, which will not wait either */
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

  /** What comes of a request whose time is over or whose client has gone. */
  abandoned: () => errors.timeout('request did not complete within requested timeout - context canceled'),

  bodyTooLarge: (message: string) => new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message }),

  tooManyRequests: (message: string, retryAfterSeconds: number) =>
    new ApiError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } }),

  serviceUnavailable: (message: string) => new ApiError({ code: 503, reason: 'ServiceUnavailable', message }),

  /** The few failures that Kubernetes answers with 500, a message and no reason. */
  unexplained: (message: string) => new ApiError({ code: 500, message }),

  internal: (message: string, cause?: unknown) =>
    new ApiError({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
      cause,
    }),
};

/** Details without the members that are empty. */
function details({ group, kind, name }: { group: string; kind: string; name: string }): StatusDetails {
  const out: StatusDetails = {};
  if (name !== '') out.name = name;
  if (group !== '') out.group = group;
  if (kind !== '') out.kind = kind;
  return out;
}
