// A request as seen by priority and fairness: user and attributes. Independent of HTTP.

export interface FlowRequest {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Kubernetes' verb, or the method in lower case for non-resource paths. */
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}
