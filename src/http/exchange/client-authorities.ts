// CA bundles for verifying clients: authorities for clients, and those for front proxies, which must not vouch for each
// other's certificates. TLS verifies a certificate against all of them; this file finds out which kind issued it.

import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../../base/pem.ts';

export interface Vouchers {
  readonly forClients: boolean;
  readonly forProxies: boolean;
}

export class ClientAuthorities {
  readonly #clients: string | undefined;
  readonly #proxies: string | undefined;
  #read: { readonly clients: readonly X509Certificate[]; readonly proxies: readonly X509Certificate[] } | undefined;

  /** @param authorities PEM for each kind */
  constructor({ clients, proxies }: { readonly clients: string | undefined; readonly proxies: string | undefined }) {
    this.#clients = clients;
    this.#proxies = proxies;
  }

  /** The kinds of authorities that issued a certificate that TLS has verified. */
  vouchersOf(certificate: X509Certificate): Vouchers {
    if (this.#proxies === undefined) return { forClients: true, forProxies: false };
    this.#read ??= { clients: certificatesIn(this.#clients ?? ''), proxies: certificatesIn(this.#proxies) };
    const { clients, proxies } = this.#read;
    const chain = chainOf(certificate);
    return { forClients: standsBehind(clients, chain), forProxies: standsBehind(proxies, chain) };
  }
}

/** Longer chains are not recognized. */
const MAX_CHAIN = 10;

function chainOf(certificate: X509Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let each: X509Certificate | undefined = certificate; each !== undefined; each = each.issuerCertificate) {
    if (chain.length === MAX_CHAIN || chain.some((known) => known.fingerprint256 === each?.fingerprint256)) break;
    chain.push(each);
  }
  return chain;
}

/** Each certificate of the chain is signed by the next; an authority is one of them or signed one. */
function standsBehind(authorities: readonly X509Certificate[], chain: readonly X509Certificate[]): boolean {
  for (const [index, each] of chain.entries()) {
    if (index > 0 && !signed(each, chain[index - 1]!)) return false;
    if (authorities.some((authority) => authority.fingerprint256 === each.fingerprint256 || signed(authority, each))) {
      return true;
    }
  }
  return false;
}

/** Whether an authority has signed a certificate. */
export function signed(authority: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** The certificates of a bundle in PEM. @throws Error for one that is not valid */
export function certificatesIn(pem: string): X509Certificate[] {
  return pemBlocks(pem)
    .filter(({ type }) => type === 'CERTIFICATE')
    .map(({ bytes }) => new X509Certificate(Buffer.from(bytes, 'latin1')));
}
