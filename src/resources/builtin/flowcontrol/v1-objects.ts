// The objects of flowcontrol/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type FlowSchema = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: FlowSchemaSpec;
  readonly status?: FlowSchemaStatus;
};

export type FlowSchemaSpec = {
  readonly priorityLevelConfiguration?: PriorityLevelConfigurationReference;
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  readonly rules?: readonly PolicyRulesWithSubjects[];
};

export type PriorityLevelConfigurationReference = {
  readonly name?: string;
};

export type FlowDistinguisherMethod = {
  readonly type?: string;
};

export type PolicyRulesWithSubjects = {
  readonly subjects?: readonly Subject[] | null;
  readonly resourceRules?: readonly ResourcePolicyRule[];
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
};

export type Subject = {
  readonly kind?: string;
  readonly user?: UserSubject;
  readonly group?: GroupSubject;
  readonly serviceAccount?: ServiceAccountSubject;
};

export type UserSubject = {
  readonly name?: string;
};

export type GroupSubject = {
  readonly name?: string;
};

export type ServiceAccountSubject = {
  readonly namespace?: string;
  readonly name?: string;
};

export type ResourcePolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
};

export type NonResourcePolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
};

export type FlowSchemaStatus = {
  readonly conditions?: readonly FlowSchemaCondition[];
};

export type FlowSchemaCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type PriorityLevelConfiguration = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PriorityLevelConfigurationSpec;
  readonly status?: PriorityLevelConfigurationStatus;
};

export type PriorityLevelConfigurationSpec = {
  readonly type?: string;
  readonly limited?: LimitedPriorityLevelConfiguration;
  readonly exempt?: ExemptPriorityLevelConfiguration;
};

export type LimitedPriorityLevelConfiguration = {
  readonly nominalConcurrencyShares?: number | null;
  readonly limitResponse?: LimitResponse;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
};

export type LimitResponse = {
  readonly type?: string;
  readonly queuing?: QueuingConfiguration;
};

export type QueuingConfiguration = {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
};

export type ExemptPriorityLevelConfiguration = {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
};

export type PriorityLevelConfigurationStatus = {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
};

export type PriorityLevelConfigurationCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
