// The token in the administrator's kubeconfig of a server that trusts only the CAs of --client-ca-file: the counterpart of
// the token by which kube-apiserver's own parts reach it, for operators who have the data folder.

import { hash, timingSafeEqual } from 'node:crypto';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import type { User } from '../auth/user.ts';
import { ADMIN } from './pki.ts';

const USER: User = { name: ADMIN.commonName, uid: '', groups: ADMIN.organizations, extra: {} };

/** The administrator's token, if there is one; it is replaced when the administrator's key is. */
export class AdministratorToken implements TokenAuthenticator {
  readonly permanent = false;
  #digest: Buffer | undefined;

  replace(token: string | undefined): void {
    this.#digest = token === undefined ? undefined : digest(token);
  }

  authenticateToken(token: string): User | undefined {
    return this.#digest !== undefined && timingSafeEqual(this.#digest, digest(token)) ? USER : undefined;
  }
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
