// Invalid configurations: values of flags that are parsed but not accepted, alone and several at once.

import { type BadConfiguration, file, flags } from './bad-configuration.ts';

const BAD_PEM = (type: string) => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;

export const BAD_FLAG_VALUES: readonly BadConfiguration[] = [
  flags('no API servers', '--apiserver-count=0'),
  flags('a lease as short as its renewal', '--coordinated-leadership-lease-duration=10s'),
  flags('an empty issuer of accounts', '--service-account-issuer='),
  flags('a negative size of a watch cache', '--watch-cache-sizes=pods#-1', '--apiserver-count=0'),
  flags('an address of a peer', '--peer-advertise-ip=192.0.2.1', '--peer-advertise-port=1'),
  flags('a buffer of the log', '--log-json-info-buffer-size=1Ki'),
  flags('a negative time for the store', '--storage-initialization-timeout=-1s'),
  flags('a second range of services that is none', '--service-cluster-ip-range=10.0.0.0/24,x'),
  flags('a small range of services', '--service-cluster-ip-range=10.0.0.0/30'),
  flags('a range of services too large to count', '--service-cluster-ip-range=10.0.0.0/1'),
  flags('an audit version with two slashes', '--audit-log-path=FOLDER/log', '--audit-log-version=a/b/c'),
  flags('an unanchored origin', '--cors-allowed-origins=a'),
  flags(
    'an empty origin and an empty directive',
    '--cors-allowed-origins=^a$,',
    '--strict-transport-security-directives=preload,',
  ),
  flags('a duration that is not ASCII', '--request-timeout=日本'),
  flags('a number that is infinite', '--goaway-chance=inf'),
  flags('a version of two numbers', '--version=v1.34'),
  flags('keys of accounts at a bad URL', '--service-account-jwks-uri=https://a b'),
  flags('a claim without an issuer', '--oidc-username-claim=sub'),
  flags(
    'errors of many kinds',
    '--apiserver-count=-1',
    '--authorization-mode=x,RBAC,x',
    '--enable-admission-plugins=x',
    '--max-requests-inflight=-1',
    '--storage-backend=x',
    '--strict-transport-security-directives=x',
    '--tls-min-version=x',
  ),
  file('an empty CA bundle', 'client-ca-file', ''),
  file('a CA that is none', 'client-ca-file', BAD_PEM('CERTIFICATE')),
  file('a policy that is a text', 'authorization-policy-file', 'a\n', '--authorization-mode=ABAC'),
  file('a policy that is no YAML', 'authorization-policy-file', 'garbage: [\n', '--authorization-mode=ABAC'),
  file('an admission file that is a text', 'admission-control-config-file', 'a'),
  file('a kubeconfig that is a text', 'authentication-token-webhook-config-file', 'a'),
];
