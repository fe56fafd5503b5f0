// A request for a resource, resolved to its definition: the input of every verb. Independent of sockets, headers and
// media types.

import type { AuditTrail } from '../api/audit-trail.ts';
import { ownMember } from '../api/own-member.ts';
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
  /** Kubernetes' verb of the request: `patch`; undefined for internal requests. */
  readonly verb?: string | undefined;
  readonly user: User;
  readonly userAgent: string;
  readonly query: Query;
  /** Warnings for the client; verbs add to it, also if they fail later. */
  readonly warnings: string[];
  /** The request's audit event, if there is one. */
  readonly audit?: AuditTrail | undefined;
  /** Records the phases of the request, if required. */
  readonly phases?: RequestPhases | undefined;
  /** Whether the client still waits for the response; undefined for internal requests. */
  readonly life?: RequestLife | undefined;
}

/** Whether a write of this kind may create its object. */
export function createsBy({ definition, subresource }: ResourceRequest): boolean {
  if (subresource === '') return true;
  return ownMember(definition.strategy.subresources, subresource)?.creates === true;
}

/** A parsed request body. */
export interface RequestBody {
  /** Undefined for an empty body. */
  readonly value: unknown;
  /** The beginning of the body, as quoted in messages. */
  readonly excerpt: string;
  /** The unparsed body, if it is JSON or YAML. */
  readonly text?: string | undefined;
  /** The same, if it is JSON. */
  readonly json?: string | undefined;
  /**
   * Information lost in `value`, given the number of `keys` found by walking it: undefined without duplicate members,
   * otherwise the value with repeated objects merged, and the errors of strict decoding.
   */
  repeated(keys: number): Steps<RepeatedMembers> | undefined;
  /** The number at a path as written, if that is a float; undefined if there are no floats. */
  readonly floats?: ((path: string) => string | undefined) | undefined;
  /** Errors for values without declared types; absent if impossible. */
  untypedFault?(): Steps<Error | undefined>;
  /** The words of strict decoding for unknown fields, if they differ from those for JSON. */
  faults?(unknown: readonly string[]): string[];
  /** Errors of strict decoding as one text, if they are not joined by commas. */
  strictText?(found: readonly string[]): string;
  /** Why a value has a wrong type, if the words differ from those for JSON. */
  explain?(error: DecodeError): string;
  /** Cooperative slices for a long body. */
  readonly turn?: Turn | undefined;
}

export interface RepeatedMembers {
  readonly value: unknown;
  /**
   * Values replaced by a later duplicate, each in a document with only its path. They are decoded like the others and
   * must be valid.
   */
  readonly replaced: readonly unknown[];
  /**
   * Unknown and duplicate fields in the order of the text.
   * @param opaque paths of values that strict decoding does not check
   */
  readonly faults: (unknown: readonly string[], opaque?: readonly string[]) => Steps<string[]>;
}

/** A stored object: JSON bytes in its storage version and the revision of its write (0: a dry run, not stored). */
export interface StoredObject {
  readonly bytes: Buffer;
  readonly revision: number;
  /** Where metadata ends in the bytes; 0 until computed. Only for cached objects. */
  metadataEnd?: number;
}

/** The result of a list; http turns it into a response. */
export interface ListAnswer {
  readonly type: 'list';
  readonly objects: Iterable<StoredObject>;
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining: number | undefined;
  /** The shard selector that chose the objects. */
  readonly shard?: string | undefined;
}

/** For bodies without duplicate members. */
export function nothingRepeated(): undefined {}
