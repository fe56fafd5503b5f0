// The keys that verify service account tokens: those that files hold, which never change, or those of a program that
// signs, which come and go.

import type { VerificationKey } from './token-key.ts';

export interface TokenKeys {
  /** Those that may have signed a token. @param id of the key, as the token names it; '' where it names none */
  find(id: string): readonly VerificationKey[] | Promise<readonly VerificationKey[]>;
  /** Those that others verify tokens by. */
  published(): readonly VerificationKey[];
  /** For how long others may keep them. */
  maxAgeSeconds(): number;
  /** Told when keys are others than before. */
  onChange(listener: () => void): void;
}

/** How long keys that never change may be kept. Kubernetes' own number. */
const MAX_AGE_SECONDS = 3600;

/** Keys that never change. */
export function fixedKeys(keys: readonly VerificationKey[]): TokenKeys {
  return {
    find: (id) => (id === '' ? keys : keys.filter((key) => key.id === id)),
    published: () => keys,
    maxAgeSeconds: () => MAX_AGE_SECONDS,
    onChange: () => {},
  };
}
