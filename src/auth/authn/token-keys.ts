// The keys that verify service account tokens: fixed ones from files, or those of an external signer, which change.

import type { VerificationKey } from './token-key.ts';

export interface TokenKeys {
  /** Keys that may have signed a token. @param id the key ID in the token; '' if it has none */
  find(id: string): readonly VerificationKey[] | Promise<readonly VerificationKey[]>;
  /** The published keys. */
  published(): readonly VerificationKey[];
  /** How long others may cache them. */
  maxAgeSeconds(): number;
  /** Called when the keys have changed. */
  onChange(listener: () => void): void;
}

/** How long fixed keys may be cached. Kubernetes' value. */
const MAX_AGE_SECONDS = 3600;

/** Fixed keys. */
export function fixedKeys(keys: readonly VerificationKey[]): TokenKeys {
  return {
    find: (id) => (id === '' ? keys : keys.filter((key) => key.id === id)),
    published: () => keys,
    maxAgeSeconds: () => MAX_AGE_SECONDS,
    onChange: () => {},
  };
}
