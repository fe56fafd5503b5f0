// Tokens that the server itself issues for whole lives of servers or keys: the one by which its parts reach it, as
// kube-apiserver's do over the loopback connection, and the one in the administrator's kubeconfig where only the CAs of
// --client-ca-file count.

import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import type { User } from '../auth/user.ts';
import { ADMIN } from './pki.ts';

const ADMINISTRATOR: User = { name: ADMIN.commonName, uid: '', groups: ADMIN.organizations, extra: {} };
const TOKEN_BYTES = 32;

/** The server's own tokens. */
export class OwnTokens implements TokenAuthenticator {
  readonly permanent = false;
  /** That of system:apiserver; it never leaves the process. */
  readonly loopback = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #server: User = { name: 'system:apiserver', uid: randomUUID(), groups: ['system:masters'], extra: {} };
  readonly #loopbackDigest = digest(this.loopback);
  #administratorDigest: Buffer | undefined;

  /** @param token undefined for an administrator with a certificate */
  replaceAdministrator(token: string | undefined): void {
    this.#administratorDigest = token === undefined ? undefined : digest(token);
  }

  authenticateToken(token: string): User | undefined {
    const given = digest(token);
    if (timingSafeEqual(this.#loopbackDigest, given)) return this.#server;
    const administrator = this.#administratorDigest;
    return administrator !== undefined && timingSafeEqual(administrator, given) ? ADMINISTRATOR : undefined;
  }
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
