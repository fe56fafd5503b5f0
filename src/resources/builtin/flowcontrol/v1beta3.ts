// Types of flowcontrol.apiserver.k8s.io/v1beta3.

import { bool, embedded, int32, list, pointer, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const FlowSchema = object(
  'flowcontrol/v1beta3.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1beta3',
  () => ({
    spec: embedded(2, FlowSchemaSpec).from(37, embedded(2, FlowSchemaSpec).required().omitEmpty()),
    status: embedded(3, FlowSchemaStatus),
  }),
  { since: 26 },
);

export const FlowSchemaSpec = struct('flowcontrol/v1beta3.FlowSchemaSpec', () => ({
  priorityLevelConfiguration: embedded(1, PriorityLevelConfigurationReference).required(),
  matchingPrecedence: int32(2).always(),
  distinguisherMethod: pointer(3, FlowDistinguisherMethod),
  rules: list(4, PolicyRulesWithSubjects).atomic(),
}));

export const PriorityLevelConfigurationReference = struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationReference',
  () => ({
    name: string(1).required(),
  }),
);

export const FlowDistinguisherMethod = struct('flowcontrol/v1beta3.FlowDistinguisherMethod', () => ({
  type: string(1).required(),
}));

export const PolicyRulesWithSubjects = struct('flowcontrol/v1beta3.PolicyRulesWithSubjects', () => ({
  subjects: list(1, Subject).required().atomic(),
  resourceRules: list(2, ResourcePolicyRule).atomic(),
  nonResourceRules: list(3, NonResourcePolicyRule).atomic(),
}));

export const Subject = struct(
  'flowcontrol/v1beta3.Subject',
  () => ({
    kind: string(1).required().discriminator(),
    user: pointer(2, UserSubject),
    group: pointer(3, GroupSubject),
    serviceAccount: pointer(4, ServiceAccountSubject),
  }),
  {
    unions: [
      {
        discriminator: 'kind',
        'fields-to-discriminateBy': { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' },
      },
    ],
  },
);

export const UserSubject = struct('flowcontrol/v1beta3.UserSubject', () => ({
  name: string(1).required(),
}));

export const GroupSubject = struct('flowcontrol/v1beta3.GroupSubject', () => ({
  name: string(1).required(),
}));

export const ServiceAccountSubject = struct('flowcontrol/v1beta3.ServiceAccountSubject', () => ({
  namespace: string(1).required(),
  name: string(2).required(),
}));

export const ResourcePolicyRule = struct('flowcontrol/v1beta3.ResourcePolicyRule', () => ({
  verbs: list(1, 'string').required().set(),
  apiGroups: list(2, 'string').required().set(),
  resources: list(3, 'string').required().set(),
  clusterScope: bool(4),
  namespaces: list(5, 'string').always().set(),
}));

export const NonResourcePolicyRule = struct('flowcontrol/v1beta3.NonResourcePolicyRule', () => ({
  verbs: list(1, 'string').required().set(),
  nonResourceURLs: list(6, 'string').required().set(),
}));

export const FlowSchemaStatus = struct('flowcontrol/v1beta3.FlowSchemaStatus', () => ({
  conditions: list(1, FlowSchemaCondition).keyed('type').mergedBy('type'),
}));

export const FlowSchemaCondition = struct('flowcontrol/v1beta3.FlowSchemaCondition', () => ({
  type: string(1).from(37, string(1).required().omitEmpty()),
  status: string(2),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const FlowSchemaList = objectList(FlowSchema);

export const PriorityLevelConfiguration = object(
  'flowcontrol/v1beta3.PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1beta3',
  () => ({
    spec: embedded(2, PriorityLevelConfigurationSpec).from(
      37,
      embedded(2, PriorityLevelConfigurationSpec).required().omitEmpty(),
    ),
    status: embedded(3, PriorityLevelConfigurationStatus),
  }),
  { since: 26 },
);

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationSpec',
  () => ({
    type: string(1).required().discriminator(),
    limited: pointer(2, LimitedPriorityLevelConfiguration),
    exempt: pointer(3, ExemptPriorityLevelConfiguration).since(28),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { exempt: 'Exempt', limited: 'Limited' } }] },
);

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol/v1beta3.LimitedPriorityLevelConfiguration',
  () => ({
    nominalConcurrencyShares: int32(1).always(),
    limitResponse: embedded(2, LimitResponse).from(37, embedded(2, LimitResponse).required().omitEmpty()),
    lendablePercent: int32(3).pointer(),
    borrowingLimitPercent: int32(4).pointer(),
  }),
);

export const LimitResponse = struct(
  'flowcontrol/v1beta3.LimitResponse',
  () => ({
    type: string(1).required().discriminator(),
    queuing: pointer(2, QueuingConfiguration),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { queuing: 'Queuing' } }] },
);

export const QueuingConfiguration = struct('flowcontrol/v1beta3.QueuingConfiguration', () => ({
  queues: int32(1).always(),
  handSize: int32(2).always(),
  queueLengthLimit: int32(3).always(),
}));

export const ExemptPriorityLevelConfiguration = struct('flowcontrol/v1beta3.ExemptPriorityLevelConfiguration', () => ({
  nominalConcurrencyShares: int32(1).pointer(),
  lendablePercent: int32(2).pointer(),
}));

export const PriorityLevelConfigurationStatus = struct('flowcontrol/v1beta3.PriorityLevelConfigurationStatus', () => ({
  conditions: list(1, PriorityLevelConfigurationCondition).keyed('type').mergedBy('type'),
}));

export const PriorityLevelConfigurationCondition = struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationCondition',
  () => ({
    type: string(1).from(37, string(1).required().omitEmpty()),
    status: string(2),
    lastTransitionTime: time(3),
    reason: string(4),
    message: string(5),
  }),
);

export const PriorityLevelConfigurationList = objectList(PriorityLevelConfiguration);
