// A TLS connection as seen by its exchanges: the client's certificate and the number of open requests. It is
// independent of the HTTP version.

import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import type { ClientAuthorities, Vouchers } from './client-authorities.ts';
import type { PeerCertificate } from './transport.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

interface Identity {
  readonly certificate: PeerCertificate;
  /** Whether an authority issued the certificate, and its kind. */
  readonly trusted: boolean;
  readonly vouchers: Vouchers;
  readonly notBeforeMs: number;
}

interface ConnectionInit {
  readonly socket: TLSSocket;
  readonly clock: Clock;
  /** The value of the Date header. */
  readonly date: () => string;
  readonly unsent: UnsentBytes;
  readonly retire: (connection: Connection) => void;
  /** Finds the authority that issued a certificate. */
  readonly authorities: ClientAuthorities;
}

export class Connection {
  readonly socket: TLSSocket;
  readonly remoteAddress: string;
  readonly clock: Clock;
  /** The value of the Date header. */
  readonly date: () => string;
  readonly #authorities: ClientAuthorities;
  /** Bytes that the client has not read yet. */
  readonly unsent: UnsentBytes;
  /** When the last open request ended, in the clock's milliseconds. */
  idleSinceMs: number;
  /** Requests that have not ended. */
  openExchanges = 0;
  /** Closes the connection gracefully: open requests finish, new ones are not accepted. */
  readonly retire: () => void;
  /** Set once the server is stopping: HTTP/1.1 responses then close the connection. */
  retiring = false;
  /** null: the client presented no certificate. */
  #identity: Identity | null | undefined;

  constructor({ socket, clock, date, unsent, retire, authorities }: ConnectionInit) {
    this.socket = socket;
    this.#authorities = authorities;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.clock = clock;
    this.date = date;
    this.unsent = unsent;
    this.idleSinceMs = clock.now();
    this.retire = () => {
      this.retiring = true;
      retire(this);
    };
  }

  exchangeOpened(): void {
    this.openExchanges++;
  }

  exchangeClosed(): void {
    if (--this.openExchanges === 0) this.idleSinceMs = this.clock.now();
    if (this.retiring) this.retire();
  }

  get hasCertificate(): boolean {
    return this.#readIdentity() !== null;
  }

  get peerCertificate(): PeerCertificate | undefined {
    const identity = this.#readIdentity();
    return identity !== null && this.#vouchedFor(identity) ? identity.certificate : undefined;
  }

  /** The common name of a certificate issued by an authority for front proxies. */
  get proxyName(): string | undefined {
    const identity = this.#readIdentity();
    if (identity === null || !identity.vouchers.forProxies || !this.#isInForce(identity)) return undefined;
    return identity.certificate.commonName;
  }

  get peerCertificateInvalid(): boolean {
    const identity = this.#readIdentity();
    return identity !== null && !this.#vouchedFor(identity);
  }

  #vouchedFor(identity: Identity): boolean {
    return identity.vouchers.forClients && this.#isInForce(identity);
  }

  /**
   * A connection may outlive its client's certificate, so its validity is checked for each request, as in
   * kube-apiserver.
   */
  #isInForce(identity: Identity): boolean {
    const now = this.clock.now();
    return identity.trusted && now >= identity.notBeforeMs && now <= identity.certificate.notAfterMs;
  }

  #readIdentity(): Identity | null {
    // Null caches the absence of a certificate.
    if (this.#identity === undefined) this.#identity = identityOf(this.socket, this.#authorities);
    return this.#identity;
  }
}

/** Kubernetes' own subject attribute for the user's UID. */
const USER_UID = '1.3.6.1.4.1.57683.2';
const NOBODY: Vouchers = { forClients: false, forProxies: false };

/** `authorized` alone is not enough: Node also sets it for a resumed TLS 1.3 session without any certificate. */
function identityOf(socket: TLSSocket, authorities: ClientAuthorities): Identity | null {
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return null;
  const subject: Record<string, string | string[] | undefined> = { ...certificate.toLegacyObject().subject };
  return {
    certificate: {
      commonName: [subject['CN'] ?? []].flat().at(-1) ?? '',
      organizations: [subject['O'] ?? []].flat(),
      ...(subject[USER_UID] === undefined ? {} : { uids: [subject[USER_UID]].flat() }),
      fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      notAfterMs: Date.parse(certificate.validTo),
    },
    trusted: socket.authorized,
    vouchers: socket.authorized ? authorities.vouchersOf(certificate) : NOBODY,
    notBeforeMs: Date.parse(certificate.validFrom),
  };
}
