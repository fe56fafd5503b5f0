// Authentication flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const authenticationFlags: readonly Flag[] = [
  {
    name: 'client-ca-file',
    type: 'file',
    option: 'clientCaFile',
    help: 'Authorities whose client certificates are believed, PEM.',
  },
  {
    name: 'token-auth-file',
    type: 'file',
    option: 'tokenAuthFile',
    help: 'Tokens that are believed, CSV: token,user,uid,"group1,group2".',
  },
  {
    name: 'anonymous-auth',
    type: 'bool',
    option: 'anonymousAuth',
    help: 'Serve those without credentials, as system:anonymous.',
  },
  {
    name: 'service-account-issuer',
    type: 'string',
    option: 'serviceAccountIssuer',
    help: 'Who issues account tokens.',
  },
  {
    name: 'service-account-signing-key-file',
    type: 'file',
    option: 'serviceAccountSigningKeyFile',
    help: 'The key that signs them, PEM: RSA or P-256; made when not given.',
  },
  {
    name: 'api-audiences',
    type: 'list',
    option: 'apiAudiences',
    help: 'Audiences of tokens for this server; the issuer when not given.',
  },
];
