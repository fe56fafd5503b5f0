// Options for other servers on the same store, to which requests are forwarded that this server cannot serve.

import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { FeatureGates } from '../../lifecycle/feature-gates.ts';
import type { AggregationOptions } from './aggregation.ts';

export interface PeerOptions {
  /** PEM file of the CA of peers; reloaded when it changes. Undefined: nothing is forwarded. */
  readonly peerCaFile: string | undefined;
  /** The address of this server for peers, and its port; '' for the usual ones. */
  readonly peerAdvertiseIp: string;
  readonly peerAdvertisePort: string;
}

export const defaultPeerOptions: PeerOptions = { peerCaFile: undefined, peerAdvertiseIp: '', peerAdvertisePort: '' };

type Given = PeerOptions & ReleaseOptions & { readonly featureGates: Readonly<Record<string, boolean>> };

export function knowsPeers(options: Given): boolean {
  const gates = new FeatureGates(options.featureGates, requestedRelease(options));
  return gates.enabled('UnknownVersionInteroperabilityProxy');
}

/** Errors of options of a feature whose gate is off. */
export function peerProblems(options: Given): string[] {
  if (knowsPeers(options)) return [];
  const given = {
    'peer-ca-file': options.peerCaFile ?? '',
    'peer-advertise-ip': options.peerAdvertiseIp,
    'peer-advertise-port': options.peerAdvertisePort,
  };
  return Object.entries(given)
    .filter(([, value]) => value !== '')
    .map(([flag]) => `--${flag} requires UnknownVersionInteroperabilityProxy feature to be turned on`);
}

/** Peers trust a forwarded request because of the client certificate. */
export function peerCertificateProblem({
  peerCaFile,
  proxyClientCertFile,
}: PeerOptions & AggregationOptions): string | undefined {
  if (peerCaFile === undefined || proxyClientCertFile !== undefined) return undefined;
  return 'error building peer proxy handler, proxy-cert-file not specified';
}
