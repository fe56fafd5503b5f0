// TokenReview and SelfSubjectReview; nothing is stored.

import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';

const authentication = group('authentication.k8s.io', 'v1');

export const authenticationResources: readonly ResourceDefinition[] = [
  authentication({ resource: 'selfsubjectreviews', kind: 'SelfSubjectReview', cluster: true, verbs: ['create'] }),
  authentication({ resource: 'tokenreviews', kind: 'TokenReview', cluster: true, verbs: ['create'] }),
];
