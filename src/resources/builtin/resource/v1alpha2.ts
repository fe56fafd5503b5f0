// Types of resource.k8s.io/v1alpha2.

import { bool, embedded, inline, int64, list, pointer, quantity, raw, string, struct } from '../../../schema/build.ts';
import { NodeSelector } from '../core/pod/scheduling.ts';
import { object, objectList } from '../meta/object.ts';
import { ObjectMeta } from '../meta/v1.ts';

export const PodSchedulingContext = object(
  'resource/v1alpha2.PodSchedulingContext',
  'resource.k8s.io/v1alpha2',
  () => ({
    spec: embedded(2, PodSchedulingContextSpec).required(),
    status: embedded(3, PodSchedulingContextStatus),
  }),
  { since: 27, until: 30 },
);

export const PodSchedulingContextStatus = struct('resource/v1alpha2.PodSchedulingContextStatus', () => ({
  resourceClaims: list(1, ResourceClaimSchedulingStatus).keyed('name'),
}));

export const ResourceClaimSchedulingStatus = struct('resource/v1alpha2.ResourceClaimSchedulingStatus', () => ({
  name: string(1),
  unsuitableNodes: list(2, 'string').atomic().upTo(28, list(2, 'string').set()),
}));

export const PodSchedulingContextSpec = struct('resource/v1alpha2.PodSchedulingContextSpec', () => ({
  selectedNode: string(1),
  potentialNodes: list(2, 'string').atomic().upTo(28, list(2, 'string').set()),
}));

export const PodSchedulingContextList = objectList(PodSchedulingContext);

export const ResourceClaim = object(
  'resource/v1alpha2.ResourceClaim',
  'resource.k8s.io/v1alpha2',
  () => ({
    spec: embedded(2, ResourceClaimSpec).required(),
    status: embedded(3, ResourceClaimStatus),
  }),
  { since: 27, until: 30 },
);

export const ResourceClaimStatus = struct('resource/v1alpha2.ResourceClaimStatus', () => ({
  driverName: string(1),
  allocation: pointer(2, AllocationResult),
  reservedFor: list(3, ResourceClaimConsumerReference)
    .keyed('uid')
    .mergedBy('uid')
    .upTo(29, list(3, ResourceClaimConsumerReference).keyed('uid')),
  deallocationRequested: bool(4),
}));

export const ResourceClaimConsumerReference = struct('resource/v1alpha2.ResourceClaimConsumerReference', () => ({
  apiGroup: string(1),
  resource: string(3).required(),
  name: string(4).required(),
  uid: string(5).required(),
}));

export const AllocationResult = struct('resource/v1alpha2.AllocationResult', () => ({
  resourceHandles: list(1, ResourceHandle).atomic(),
  availableOnNodes: pointer(2, NodeSelector),
  shareable: bool(3),
}));

export const ResourceHandle = struct('resource/v1alpha2.ResourceHandle', () => ({
  driverName: string(1),
  data: string(2),
  structuredData: pointer(5, StructuredResourceHandle).since(30),
}));

export const StructuredResourceHandle = struct('resource/v1alpha2.StructuredResourceHandle', () => ({
  vendorClassParameters: raw(1),
  vendorClaimParameters: raw(2),
  nodeName: string(4),
  results: list(5, DriverAllocationResult).required().atomic(),
}));

export const DriverAllocationResult = struct('resource/v1alpha2.DriverAllocationResult', () => ({
  vendorRequestParameters: raw(1),
  AllocationResultModel: inline(2, AllocationResultModel),
}));

export const AllocationResultModel = struct('resource/v1alpha2.AllocationResultModel', () => ({
  namedResources: pointer(1, NamedResourcesAllocationResult),
}));

export const NamedResourcesAllocationResult = struct('resource/v1alpha2.NamedResourcesAllocationResult', () => ({
  name: string(1).required(),
}));

export const ResourceClaimSpec = struct('resource/v1alpha2.ResourceClaimSpec', () => ({
  resourceClassName: string(1).required(),
  parametersRef: pointer(2, ResourceClaimParametersReference),
  allocationMode: string(3),
}));

export const ResourceClaimParametersReference = struct('resource/v1alpha2.ResourceClaimParametersReference', () => ({
  apiGroup: string(1),
  kind: string(2).required(),
  name: string(3).required(),
}));

export const ResourceClaimList = objectList(ResourceClaim);

export const ResourceClaimParameters = object(
  'resource/v1alpha2.ResourceClaimParameters',
  'resource.k8s.io/v1alpha2',
  () => ({
    generatedFrom: pointer(2, ResourceClaimParametersReference),
    shareable: bool(3),
    driverRequests: list(4, DriverRequests).atomic(),
  }),
  { since: 30, until: 30 },
);

export const DriverRequests = struct('resource/v1alpha2.DriverRequests', () => ({
  driverName: string(1),
  vendorParameters: raw(2),
  requests: list(3, ResourceRequest).atomic(),
}));

export const ResourceRequest = struct('resource/v1alpha2.ResourceRequest', () => ({
  vendorParameters: raw(1),
  ResourceRequestModel: inline(2, ResourceRequestModel),
}));

export const ResourceRequestModel = struct('resource/v1alpha2.ResourceRequestModel', () => ({
  namedResources: pointer(1, NamedResourcesRequest),
}));

export const NamedResourcesRequest = struct('resource/v1alpha2.NamedResourcesRequest', () => ({
  selector: string(1).required(),
}));

export const ResourceClaimParametersList = objectList(ResourceClaimParameters);

export const ResourceClaimTemplate = object(
  'resource/v1alpha2.ResourceClaimTemplate',
  'resource.k8s.io/v1alpha2',
  () => ({
    spec: embedded(2, ResourceClaimTemplateSpec).required(),
  }),
  { since: 27, until: 30 },
);

export const ResourceClaimTemplateSpec = struct('resource/v1alpha2.ResourceClaimTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, ResourceClaimSpec).required(),
}));

export const ResourceClaimTemplateList = objectList(ResourceClaimTemplate);

export const ResourceClass = object(
  'resource/v1alpha2.ResourceClass',
  'resource.k8s.io/v1alpha2',
  () => ({
    driverName: string(2).required(),
    parametersRef: pointer(3, ResourceClassParametersReference),
    suitableNodes: pointer(4, NodeSelector),
    structuredParameters: bool(5).pointer().since(30),
  }),
  { since: 27, until: 30 },
);

export const ResourceClassParametersReference = struct('resource/v1alpha2.ResourceClassParametersReference', () => ({
  apiGroup: string(1),
  kind: string(2).required(),
  name: string(3).required(),
  namespace: string(4),
}));

export const ResourceClassList = objectList(ResourceClass);

export const ResourceClassParameters = object(
  'resource/v1alpha2.ResourceClassParameters',
  'resource.k8s.io/v1alpha2',
  () => ({
    generatedFrom: pointer(2, ResourceClassParametersReference),
    vendorParameters: list(3, VendorParameters).atomic(),
    filters: list(4, ResourceFilter).atomic(),
  }),
  { since: 30, until: 30 },
);

export const ResourceFilter = struct('resource/v1alpha2.ResourceFilter', () => ({
  driverName: string(1),
  ResourceFilterModel: inline(2, ResourceFilterModel),
}));

export const ResourceFilterModel = struct('resource/v1alpha2.ResourceFilterModel', () => ({
  namedResources: pointer(1, NamedResourcesFilter),
}));

export const NamedResourcesFilter = struct('resource/v1alpha2.NamedResourcesFilter', () => ({
  selector: string(1).required(),
}));

export const VendorParameters = struct('resource/v1alpha2.VendorParameters', () => ({
  driverName: string(1),
  parameters: raw(2),
}));

export const ResourceClassParametersList = objectList(ResourceClassParameters);

export const ResourceSlice = object(
  'resource/v1alpha2.ResourceSlice',
  'resource.k8s.io/v1alpha2',
  () => ({
    nodeName: string(2),
    driverName: string(3).required(),
    ResourceModel: inline(4, ResourceModel),
  }),
  { since: 30, until: 30 },
);

export const ResourceModel = struct('resource/v1alpha2.ResourceModel', () => ({
  namedResources: pointer(1, NamedResourcesResources),
}));

export const NamedResourcesResources = struct('resource/v1alpha2.NamedResourcesResources', () => ({
  instances: list(1, NamedResourcesInstance).required().atomic(),
}));

export const NamedResourcesInstance = struct('resource/v1alpha2.NamedResourcesInstance', () => ({
  name: string(1).required(),
  attributes: list(2, NamedResourcesAttribute).atomic(),
}));

export const NamedResourcesAttribute = struct('resource/v1alpha2.NamedResourcesAttribute', () => ({
  name: string(1).required(),
  NamedResourcesAttributeValue: inline(2, NamedResourcesAttributeValue),
}));

export const NamedResourcesAttributeValue = struct('resource/v1alpha2.NamedResourcesAttributeValue', () => ({
  quantity: quantity(6).pointer(),
  bool: bool(2).pointer(),
  int: int64(7).pointer(),
  intSlice: pointer(8, NamedResourcesIntSlice),
  string: string(5).pointer(),
  stringSlice: pointer(9, NamedResourcesStringSlice),
  version: string(10).pointer(),
}));

export const NamedResourcesStringSlice = struct('resource/v1alpha2.NamedResourcesStringSlice', () => ({
  strings: list(1, 'string').required().atomic(),
}));

export const NamedResourcesIntSlice = struct('resource/v1alpha2.NamedResourcesIntSlice', () => ({
  ints: list(1, 'int64').required().atomic(),
}));

export const ResourceSliceList = objectList(ResourceSlice);
