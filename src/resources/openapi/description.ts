// Version-independent description of a path's operations, from which both OpenAPI documents are generated.

import type { GroupVersionKind } from '../../api/group-version.ts';
import type { StructNode } from '../../schema/node.ts';
import type { CustomType } from './custom-type.ts';
import type { Parameter } from './parameters.ts';

/** A request or response body: a declared type, a custom resource, or text. */
export type BodyType = StructNode | CustomType | 'text';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

export interface PathDescription {
  /** `/apis/apps/v1/namespaces/{namespace}/deployments` */
  readonly path: string;
  /** Parameters common to all operations of the path, sorted by name. */
  readonly parameters: readonly Parameter[];
  readonly operations: Readonly<Partial<Record<Method, OperationDescription>>>;
}

export interface OperationDescription {
  /** `listAppsV1NamespacedDeployment` */
  readonly id: string;
  /** Absent for what is not described. */
  readonly description?: string | undefined;
  readonly tag: string;
  /** The action and the kind of the operation; absent for documents that are not about resources. */
  readonly about?: { readonly action: string; readonly kind: GroupVersionKind } | undefined;
  /** In addition to those of the path. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody | undefined;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Success codes; each responds with `returns`. */
  readonly codes: readonly SuccessCode[];
  readonly returns: BodyType;
}

export interface RequestBody {
  readonly type: BodyType;
  readonly required: boolean;
}

export type SuccessCode = 200 | 201 | 202;

/** HTTP reason phrases of the codes in use. */
export const PHRASES: Readonly<Record<SuccessCode | 401, string>> = Object.freeze({
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
});

/** A path with the common parameters of its operations moved to it. */
export function describePath(
  path: string,
  operations: Partial<Record<Method, OperationDescription | undefined>>,
): PathDescription | undefined {
  const given = Object.entries(operations).filter(([, operation]) => operation !== undefined) as [
    Method,
    OperationDescription,
  ][];
  const [first, ...others] = given.map(([, operation]) => operation.parameters);
  if (first === undefined) return undefined;
  const shared = first.filter((parameter) => others.every((parameters) => parameters.includes(parameter)));
  const own = given.map(([method, operation]) => [
    method,
    { ...operation, parameters: sorted(operation.parameters.filter((parameter) => !shared.includes(parameter))) },
  ]);
  return { path, parameters: sorted(shared), operations: Object.fromEntries(own) };
}

function sorted(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((one, other) => {
    if (one.name !== other.name) return one.name < other.name ? -1 : 1;
    return one.in < other.in ? -1 : 1;
  });
}
