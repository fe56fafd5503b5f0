// The fields of AuthenticationConfiguration and their types, for decoding the file.

import type { ConfigurationKind, Shape } from '../configuration-file.ts';

const PREFIXED: Shape = {
  name: 'PrefixedClaimOrExpression',
  fields: { claim: 'string', prefix: 'string', expression: 'string' },
};
/** Of apiserver.config.k8s.io. */
export const AUTHENTICATION_CONFIGURATION: ConfigurationKind = {
  kind: 'AuthenticationConfiguration',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  fields: {
    jwt: {
      list: {
        name: 'JWTAuthenticator',
        fields: {
          issuer: {
            name: 'Issuer',
            fields: {
              url: 'string',
              discoveryURL: 'string',
              certificateAuthority: 'string',
              audiences: { list: 'string' },
              audienceMatchPolicy: 'string',
              egressSelectorType: 'string',
            },
          },
          claimValidationRules: {
            list: {
              name: 'ClaimValidationRule',
              fields: { claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' },
            },
          },
          claimMappings: {
            name: 'ClaimMappings',
            fields: {
              username: PREFIXED,
              groups: PREFIXED,
              uid: { name: 'ClaimOrExpression', fields: { claim: 'string', expression: 'string' } },
              extra: { list: { name: 'ExtraMapping', fields: { key: 'string', valueExpression: 'string' } } },
            },
          },
          userValidationRules: {
            list: { name: 'UserValidationRule', fields: { expression: 'string', message: 'string' } },
          },
        },
      },
    },
    anonymous: {
      name: 'AnonymousAuthConfig',
      fields: {
        enabled: 'bool',
        conditions: { list: { name: 'AnonymousAuthCondition', fields: { path: 'string' } } },
      },
    },
  },
};
