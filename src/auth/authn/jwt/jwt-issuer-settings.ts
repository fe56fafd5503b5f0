// Issuers of tokens that the server believes, and how their claims become users: what AuthenticationConfiguration says
// and the --oidc-* flags say in part, its expressions compiled.

import type { Program } from '../../../cel/plan/program.ts';

/** Where a value of a user comes from: a claim, with something before it, or an expression over all claims. */
export type ClaimSource =
  | { readonly claim: string; readonly prefix: string }
  | { readonly expression: CompiledClaimExpression };

export interface CompiledClaimExpression {
  readonly text: string;
  readonly program: Program;
}

export interface ValidationRule extends CompiledClaimExpression {
  /** What the refusal says besides. */
  readonly message: string;
}

export interface JwtIssuerSettings {
  /** The network that it stands in, where it is reached by a way that is selected for it. */
  readonly egressSelectorType?: string | undefined;
  readonly url: string;
  /** The whole URL of the discovery document; empty for its usual place under `url`. */
  readonly discoveryUrl: string;
  /** PEM; undefined for the authorities that the system trusts. */
  readonly certificateAuthority: string | undefined;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly username: ClaimSource;
  readonly groups: ClaimSource | undefined;
  readonly uid: ClaimSource | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: CompiledClaimExpression }[];
  /** Claims that must be texts of these values. */
  readonly requiredClaims: readonly (readonly [claim: string, value: string])[];
  readonly claimRules: readonly ValidationRule[];
  readonly userRules: readonly ValidationRule[];
}

/** What an issuer may sign with. */
export const SIGNING_ALGORITHMS: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
