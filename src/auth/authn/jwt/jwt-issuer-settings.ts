// Settings of JWT issuers and their claim mappings, from AuthenticationConfiguration or, with fewer options, the
// --oidc-* flags; CEL expressions are compiled.

import type { Program } from '../../../cel/plan/program.ts';

/** The source of a user attribute: a claim with an optional prefix, or an expression over all claims. */
export type ClaimSource =
  | { readonly claim: string; readonly prefix: string }
  | { readonly expression: CompiledClaimExpression };

export interface CompiledClaimExpression {
  readonly text: string;
  readonly program: Program;
}

export interface ValidationRule extends CompiledClaimExpression {
  /** Added to the error message. */
  readonly message: string;
}

export interface JwtIssuerSettings {
  /** Its egress network, if one is selected. */
  readonly egressSelectorType?: string | undefined;
  readonly url: string;
  /** The complete URL of the discovery document; empty for the usual one below `url`. */
  readonly discoveryUrl: string;
  /** PEM; undefined for the system's authorities. */
  readonly certificateAuthority: string | undefined;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly username: ClaimSource;
  readonly groups: ClaimSource | undefined;
  readonly uid: ClaimSource | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: CompiledClaimExpression }[];
  /** Claims that must have these string values. */
  readonly requiredClaims: readonly (readonly [claim: string, value: string])[];
  readonly claimRules: readonly ValidationRule[];
  readonly userRules: readonly ValidationRule[];
}

/** The signature algorithms. */
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
