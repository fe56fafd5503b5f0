// FlowSchemas and PriorityLevelConfigurations as stored by Kubernetes, with all defaults, as far as they concern
// requests.

export interface FlowSchemaConfiguration {
  readonly name: string;
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: { readonly name: string };
  readonly matchingPrecedence: number;
  readonly distinguisherMethod?: { readonly type: string };
  readonly rules?: readonly FlowRule[];
}

export interface FlowRule {
  readonly subjects: readonly FlowSubject[];
  readonly resourceRules?: readonly FlowResourceRule[];
  readonly nonResourceRules?: readonly FlowNonResourceRule[];
}

export interface FlowSubject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface FlowResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

export interface FlowNonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface PriorityLevelConfiguration {
  readonly name: string;
  readonly uid: string;
  readonly spec: PriorityLevelSpec;
}

export interface PriorityLevelSpec {
  readonly type: string;
  readonly limited?: {
    readonly nominalConcurrencyShares?: number;
    readonly lendablePercent?: number;
    readonly borrowingLimitPercent?: number;
    readonly limitResponse: {
      readonly type: string;
      readonly queuing?: { readonly queues: number; readonly handSize: number; readonly queueLengthLimit: number };
    };
  };
  readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
}
