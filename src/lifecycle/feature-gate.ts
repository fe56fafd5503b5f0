// The stages of a feature gate, in which feature-gate-table.ts is written.

/** PREALPHA: the gate does not exist yet in the emulated version. */
export type GateStage = 'PREALPHA' | 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

export interface FeatureGateSpec {
  /** The minor version of Kubernetes 1 from which on this applies; 0 for always. */
  readonly since: number;
  readonly stage: GateStage;
  readonly default: boolean;
  /** A locked gate cannot be set to anything but its default. */
  readonly locked: boolean;
  /** The minimum compatibility version without which this does not apply. */
  readonly minCompatibility?: number;
}

/** The minor releases of Kubernetes 1 that know a gate; without bounds, all from its first stage on. */
export interface GateSpan {
  readonly since?: number;
  readonly until?: number;
}

/** A stage from a minor release on. */
type Stage = (since: number, minCompatibility?: number) => FeatureGateSpec;

export const alpha: Stage = spec('ALPHA', false, false);
export const alphaOn: Stage = spec('ALPHA', true, false);
export const beta: Stage = spec('BETA', true, false);
export const betaOff: Stage = spec('BETA', false, false);
export const ga: Stage = spec('GA', true, false);
export const gaOff: Stage = spec('GA', false, false);
export const gaLocked: Stage = spec('GA', true, true);
export const deprecatedOn: Stage = spec('DEPRECATED', true, false);
export const deprecatedOff: Stage = spec('DEPRECATED', false, false);
export const deprecatedLocked: Stage = spec('DEPRECATED', true, true);
export const deprecatedLockedOff: Stage = spec('DEPRECATED', false, true);

function spec(stage: GateStage, on: boolean, locked: boolean): Stage {
  return (since, minCompatibility) => ({
    since,
    stage,
    default: on,
    locked,
    ...(minCompatibility !== undefined && { minCompatibility }),
  });
}
