// Dependencies of the parts of a cluster: controllers, the scheduler and simulated nodes.

import type { Authorizer } from '../auth/authz/authorizer.ts';
import type { Activity } from '../base/activity.ts';
import type { Pace } from '../base/pace.ts';
import type { Random } from '../base/random.ts';
import type { ControllerContext } from '../controllers/controller.ts';
import type { Informers } from './informer.ts';
import type { Simulated } from './nodes/simulation.ts';
import type { Stage } from './stages/stage-objects.ts';

/** What a cluster is made of. */
interface ClusterSettings {
  /** How many nodes are simulated. */
  readonly nodes: number;
  /** Whether nodes take the time that real ones take to pull images and start containers; otherwise no time passes. */
  readonly realisticDelays: boolean;
  /** Stages of KWOK that are installed. */
  readonly stages: readonly Stage[];
  /** The range of the pods' addresses, IPv4, from which each node gets a /24. */
  readonly podCidr: string;
  /** The ranges of service addresses, that of the default family first. */
  readonly serviceCidrs: readonly string[];
  /** Signs certificates that were requested; undefined if the server has no key of a CA. */
  readonly signer: CertificateSigner | undefined;
  /** Decides what users may do. */
  readonly authorizer: Authorizer;
}

/** Issues a client or serving certificate with the CA of the server. */
export type CertificateSigner = (wanted: WantedCertificate) => Promise<string>;

/** What a certificate is to say. Times are in milliseconds since the Unix epoch. */
interface WantedCertificate {
  /** The request, PEM, which has been validated. */
  readonly requestPem: string;
  /** Kubernetes' names: `digital signature`, `client auth`. */
  readonly usages: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export interface ClusterContext extends ControllerContext {
  readonly activity: Activity;
  readonly informers: Informers;
  /** Of the writes of all parts together. */
  readonly pace: Pick<Pace, 'run'>;
  /** The same seed gives the same history. */
  readonly random: Random;
  readonly settings: ClusterSettings;
  /** Where simulated nodes are found once they run. */
  readonly simulated: Simulated;
}
