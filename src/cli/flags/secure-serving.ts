// Secure serving flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const secureServingFlags: readonly Flag[] = [
  {
    name: 'cert-dir',
    type: 'file',
    option: 'certDir',
    help: 'Folder with apiserver.crt and apiserver.key for serving.',
  },
  {
    name: 'secure-port',
    type: 'int',
    option: 'securePort',
    help: 'The port to serve HTTPS on; 0 selects a free one.',
  },
  {
    name: 'bind-address',
    type: 'ip',
    option: 'bindAddress',
    help: 'The address to listen on; 0.0.0.0 or :: for all.',
  },
  {
    name: 'disable-http2-serving',
    type: 'bool',
    option: 'disableHttp2Serving',
    help: 'Serve HTTP/1.1 only.',
  },
  {
    name: 'http2-max-streams-per-connection',
    type: 'int',
    option: 'http2MaxStreamsPerConnection',
    help: 'Maximum concurrent requests on an HTTP/2 connection; 0 for the default.',
  },
  {
    name: 'permit-port-sharing',
    type: 'bool',
    option: 'permitPortSharing',
    help: 'Let other processes listen on the same port.',
  },
  {
    name: 'tls-sni-cert-key',
    type: 'namedCertKeys',
    option: 'tlsSniCertKey',
    help: 'A certificate for server names: cert.pem,key.pem:a.b,*.b; may be repeated.',
  },
  { name: 'tls-cert-file', type: 'file', option: 'tlsCertFile', help: "The server's certificate, PEM." },
  {
    name: 'tls-cipher-suites',
    type: 'strings',
    option: 'tlsCipherSuites',
    help: 'Cipher suites of TLS 1.2, by their IANA names.',
  },
  {
    name: 'tls-curve-preferences',
    type: 'int32Slice',
    option: 'tlsCurvePreferences',
    help: 'Key exchanges that are allowed, by their numbers in Go, from 1.36 on.',
  },
  {
    name: 'tls-min-version',
    type: 'string',
    option: 'tlsMinVersion',
    help: 'Minimum TLS version: VersionTLS12, VersionTLS13.',
  },
  {
    name: 'tls-private-key-file',
    type: 'file',
    option: 'tlsPrivateKeyFile',
    help: 'The key of that certificate, PEM.',
  },
];
