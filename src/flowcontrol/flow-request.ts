// A request as priority and fairness see it: who asks for what. It knows nothing of HTTP.

export interface FlowRequest {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Kubernetes' verb, or the method in lower case for paths that are not of resources. */
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
