// One request for a resource, resolved to the definition it concerns: what every verb starts from. It says nothing of
// sockets, headers or media types.

import type { AuditTrail } from '../api/audit-trail.ts';
import type { RequestLife } from '../api/request-life.ts';
import type { RequestPhases } from '../api/request-phases.ts';
import type { User } from '../auth/user.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Steps } from '../base/steps.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import type { DecodeError } from '../schema/decode.ts';
import type { Query } from './query.ts';

export interface ResourceRequest {
  readonly definition: ResourceDefinition;
  /** The version in the path. */
  readonly version: ServedVersion;
  /** '' for cluster-scoped resources and for requests across all namespaces. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly user: User;
  readonly userAgent: string;
  readonly query: Query;
  /** Warnings for the client; verbs add to it, also when they fail later. */
  readonly warnings: string[];
  /** The request's audit event, where there is one. */
  readonly audit?: AuditTrail | undefined;
  /** Told what the request's time goes to, where somebody wants to know. */
  readonly phases?: RequestPhases | undefined;
  /** Whether anybody waits for the answer; undefined for work of the server's own. */
  readonly life?: RequestLife | undefined;
}

/** Whether a write of this kind may create the object that it is about. */
export function createsBy({ definition, subresource }: ResourceRequest): boolean {
  return subresource === '' || (subresource === 'status' && definition.strategy.createsByStatus === true);
}

/** A body that has been read and parsed. */
export interface RequestBody {
  /** Undefined where there was no body at all. */
  readonly value: unknown;
  /** The beginning of the body, for messages that quote it. */
  readonly excerpt: string;
  /**
   * What the text says beyond `value` when a walk over that met `keys` keys: undefined when no member came twice,
   * else the value with repeated objects merged, and strict decoding's words for it.
   */
  repeated(keys: number): Steps<RepeatedMembers> | undefined;
  /** The number at a path as it was written, where that is as a float; undefined where there are no floats. */
  readonly floats?: ((path: string) => string | undefined) | undefined;
  /** What is wrong with it where no types are declared; absent where nothing can be. */
  untypedFault?(): Steps<Error | undefined>;
  /** Strict decoding's words for unknown fields, where they are not those for JSON. */
  faults?(unknown: readonly string[]): string[];
  /** What strict decoding found as one text, where that is not a list with commas. */
  strictText?(found: readonly string[]): string;
  /** Why a value is of a wrong type, where that is not said in the words for JSON. */
  explain?(error: DecodeError): string;
  /** The turns in which a long body is worked on. */
  readonly turn?: Turn | undefined;
}

export interface RepeatedMembers {
  readonly value: unknown;
  /**
   * Values of which a later one of the same name took the place, each in a document of its path alone. They are read
   * like the others and must fit.
   */
  readonly replaced: readonly unknown[];
  /**
   * Unknown and duplicate fields in the order of the text.
   * @param opaque paths of values that strict decoding doesn't look into
   */
  readonly faults: (unknown: readonly string[], opaque?: readonly string[]) => Steps<string[]>;
}

/**
 * An object as it is stored: JSON bytes of its storage version and the revision of its write (0: not stored, a dry
 * run).
 */
export interface StoredObject {
  readonly bytes: Buffer;
  readonly revision: number;
  /** Where metadata ends in the bytes; 0 until somebody has looked. Only of objects that are kept. */
  metadataEnd?: number;
}

/** What a list answers; http turns it into a response. */
export interface ListAnswer {
  readonly type: 'list';
  readonly objects: Iterable<StoredObject>;
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining: number | undefined;
}

/** For bodies that say no member twice. */
export function nothingRepeated(): undefined {}
