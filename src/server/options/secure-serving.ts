// Options of the secure port: TLS, certificates by server name, and HTTP/2.

import { isIP } from 'node:net';
import { goQuote } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { isSince } from '../../lifecycle/version.ts';

/** A certificate for specific server names. */
export interface NamedCertKey {
  /** PEM files. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Names, the first label of which may be `*`; empty for the names in the certificate. */
  readonly names: readonly string[];
}

export interface SecureServingOptions {
  /** Certificates for specific server names; the first one for a name counts. */
  readonly tlsSniCertKey: readonly NamedCertKey[];
  /** Further names and addresses in the certificate that the server creates for itself. */
  readonly tlsSan: readonly string[];
  /** Whether only HTTP/1.1 is supported. */
  readonly disableHttp2Serving: boolean;
  /** Maximum number of concurrent requests on an HTTP/2 connection; 0 for the server's default. */
  readonly http2MaxStreamsPerConnection: number;
  /** Whether other processes may listen on the same port (SO_REUSEPORT). */
  readonly permitPortSharing: boolean;
  /** For example `VersionTLS12`; '' for the default. */
  readonly tlsMinVersion: string;
  /** IANA names; empty for the default. */
  readonly tlsCipherSuites: readonly string[];
  /** The CurveIDs of Go that key exchanges may use; empty for the default. */
  readonly tlsCurvePreferences: readonly number[];
}

export const defaultSecureServingOptions: SecureServingOptions = {
  tlsSniCertKey: [],
  tlsSan: [],
  disableHttp2Serving: false,
  http2MaxStreamsPerConnection: 0,
  permitPortSharing: false,
  tlsMinVersion: '',
  tlsCipherSuites: [],
  tlsCurvePreferences: [],
};

/** `cert.pem,key.pem` or `cert.pem,key.pem:*.example.com,example.com`. @throws Error with kube-apiserver's message */
export function parseNamedCertKey(text: string): NamedCertKey {
  const colon = text.indexOf(':');
  const listed = colon < 0 ? undefined : text.slice(colon + 1).trim();
  if (listed === '') throw new Error('empty names list is not allowed');
  const files = text.slice(0, colon < 0 ? undefined : colon).split(',');
  if (files.length !== 2) throw new Error('expected comma separated certificate and key file paths');
  const [certFile = '', keyFile = ''] = files.map((file) => file.trim());
  return { certFile, keyFile, names: listed?.split(',').map((name) => name.trim()) ?? [] };
}

type NodeVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

const VERSIONS: Readonly<Record<string, NodeVersion>> = lookup({
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
});

/** Cipher suites by OpenSSL's names; '' for those of TLS 1.3, which are not configurable, and those it does not have. */
const SUITES: Readonly<Record<string, string>> = lookup({
  TLS_AES_128_GCM_SHA256: '',
  TLS_AES_256_GCM_SHA384: '',
  TLS_CHACHA20_POLY1305_SHA256: '',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_RC4_128_SHA: '',
  TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA: '',
  TLS_ECDHE_RSA_WITH_RC4_128_SHA: '',
  TLS_RSA_WITH_3DES_EDE_CBC_SHA: '',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_RSA_WITH_RC4_128_SHA: '',
});
const SUITES_13 = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256';

/** Key exchanges by their CurveIDs, in Go's order of preference. */
const CURVES: ReadonlyMap<number, string> = new Map([
  [4588, 'X25519MLKEM768'],
  [4587, 'SecP256r1MLKEM768'],
  [4589, 'SecP384r1MLKEM1024'],
  [29, 'X25519'],
  [23, 'P-256'],
  [24, 'P-384'],
  [25, 'P-521'],
]);
const LARGEST_CURVE = 65_535;
/** The first minor release of Kubernetes 1 with --tls-curve-preferences. */
const FIRST_WITH_CURVES = 36;

/** As expected by Node. */
export function tlsBounds({ tlsMinVersion, tlsCipherSuites, tlsCurvePreferences }: SecureServingOptions): {
  readonly minVersion: NodeVersion;
  readonly ciphers?: string;
  readonly ecdhCurve?: string;
} {
  const minVersion = VERSIONS[tlsMinVersion] ?? 'TLSv1.2';
  const curves = [...CURVES].filter(([id]) => tlsCurvePreferences.includes(id)).map(([, name]) => name);
  const bounds = { minVersion, ...(curves.length > 0 && { ecdhCurve: curves.join(':') }) };
  if (tlsCipherSuites.length === 0) return bounds;
  const chosen = tlsCipherSuites.map((name) => SUITES[name] ?? '').filter((name) => name !== '');
  return { ...bounds, ciphers: [SUITES_13, ...chosen].join(':') };
}

/** The first error, in kube-apiserver's words. */
export function secureServingProblem(options: SecureServingOptions & ServingPair & ReleaseOptions): string | undefined {
  const { tlsMinVersion, tlsCipherSuites, tlsCertFile, tlsPrivateKeyFile } = options;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) return 'missing filename for serving cert';
  const unknown = tlsCipherSuites.find((name) => !Object.hasOwn(SUITES, name));
  if (unknown !== undefined) return `Cipher suite ${unknown} not supported or doesn't exist`;
  if (!Object.hasOwn(VERSIONS, tlsMinVersion)) return `unknown tls version ${goQuote(tlsMinVersion)}`;
  return options.tlsCurvePreferences.length === 0 ? undefined : curveProblem(options);
}

function curveProblem(options: SecureServingOptions & ReleaseOptions): string | undefined {
  if (!isSince(requestedRelease(options).binary, FIRST_WITH_CURVES)) {
    return `--tls-curve-preferences needs --kubernetes-version=1.${FIRST_WITH_CURVES} or newer`;
  }
  const seen = new Set<number>();
  for (const id of options.tlsCurvePreferences) {
    if (id <= 0 || id > LARGEST_CURVE) return `curve preference ${id} is out of range (must be 1-${LARGEST_CURVE})`;
    if (seen.has(id)) return `duplicate curve preference ${id}`;
    seen.add(id);
    if (!CURVES.has(id)) return `curve preference ${id} is not supported by the current Go version`;
  }
  return undefined;
}

interface ServingPair {
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
}

/** Names as in DNS; a certificate of a name with `*` is for --tls-cert-file. */
const HOST_NAME = /^[a-z\d](?:[-a-z\d]*[a-z\d])?(?:\.[a-z\d](?:[-a-z\d]*[a-z\d])?)*$/i;

export function tlsSanProblems({ tlsSan }: SecureServingOptions): string[] {
  return tlsSan
    .filter((host) => !HOST_NAME.test(host) && isIP(host) === 0)
    .map((host) => `--tls-san ${goQuote(host)} is neither a host name nor an IP address`);
}
