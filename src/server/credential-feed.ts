// Reloading of certificates and CAs when their files change: new connections use the new ones without a restart, once
// they are complete. The server's own certificates are renewed in the same way. Unusable files leave the old ones in
// force.

import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Timer } from '../base/clock.ts';
import { type CredentialOptions, type ServerCredentials, tlsOf } from './credentials.ts';
import { readTextIfThere } from './files.ts';
import { loadCertificates, renewCertificates } from './pki.ts';
import { watchFile } from './watched-file.ts';

/** How often files are checked of which there is no notice; kube-apiserver checks every minute. */
const LOOK_MS = 2_500;
/** How soon they are checked after notice of a change. */
const LOOK_SOON_MS = 250;
/** How long files must stay as they are before they are used: a writer may pause in the middle of one. */
const SETTLED_MS = LOOK_MS - LOOK_SOON_MS;
/** How often our own certificates are checked for expiry. */
const RENEW_MS = 60 * 60_000;

interface CredentialFeedOptions extends CredentialOptions {
  readonly hosts: readonly string[];
  readonly current: ServerCredentials;
  /** Applies new credentials. */
  readonly onChange: (credentials: ServerCredentials) => void;
}

/** Watches for changes until `stop` is called. */
export function followCredentials(options: CredentialFeedOptions): { stop(): void } {
  const feed = new CredentialFeed(options);
  return { stop: () => feed.stop() };
}

class CredentialFeed {
  readonly #options: CredentialFeedOptions;
  readonly #paths: readonly string[];
  /** What was read last, and since when it is that. */
  #last = { text: '', sinceMs: 0 };
  #current: ServerCredentials;
  #seen: string;
  #renewedMs: number;
  #timer: Timer;
  #isSoon = false;
  readonly #unwatch: readonly (() => void)[];

  constructor(options: CredentialFeedOptions) {
    this.#options = options;
    this.#current = options.current;
    this.#paths = pathsOf(options);
    this.#seen = this.#read();
    this.#renewedMs = options.clock.now();
    this.#timer = options.clock.after(LOOK_MS, () => this.#look());
    const folders = new Map(this.#paths.map((path) => [dirname(path), path]));
    this.#unwatch = [...folders.values()].map((path) => watchFile(path, () => this.#lookSoon()));
  }

  stop(): void {
    this.#timer.cancel();
    for (const unwatch of this.#unwatch) unwatch();
  }

  #lookSoon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#timer.cancel();
    this.#timer = this.#options.clock.after(LOOK_SOON_MS, () => this.#look());
  }

  #look(): void {
    const { clock, log } = this.#options;
    this.#timer = clock.after(LOOK_MS, () => this.#look());
    this.#isSoon = false;
    try {
      const seen = this.#read();
      const isSettled = this.#isSettled(seen);
      if (seen === this.#seen ? clock.now() - this.#renewedMs < RENEW_MS : !isSettled) return;
      // Logged once: unusable files are checked again when they change, or after an hour.
      this.#seen = seen;
      this.#renewedMs = clock.now();
      this.#reload();
      this.#seen = this.#read();
    } catch (error) {
      log.error('certificates are not replaced; those before stay in force', { error });
    }
  }

  /** Whether it has been read for long enough; if not, it is looked at again when that may be so. */
  #isSettled(seen: string): boolean {
    const { clock } = this.#options;
    const nowMs = clock.now();
    if (seen !== this.#last.text) this.#last = { text: seen, sinceMs: nowMs };
    const leftMs = this.#last.sinceMs + SETTLED_MS - nowMs;
    if (leftMs <= 0) return true;
    if (seen !== this.#seen) {
      this.#timer.cancel();
      this.#timer = clock.after(leftMs, () => this.#look());
    }
    return false;
  }

  /** @throws Error for unusable files */
  #reload(): void {
    const { options, onChange, log } = this.#options;
    const before = this.#current;
    const next = tlsOf(options, this.#own());
    const isSame = JSON.stringify([next.tls, next.certificates]) === JSON.stringify([before.tls, before.certificates]);
    if (isSame) return;
    createSecureContext({ ...next.tls, ca: `${next.tls.ca ?? ''}\n${next.tls.proxyCa ?? ''}` });
    this.#current = next;
    onChange(next);
    log.info('certificates are replaced', {
      serving: next.tls.cert !== before.tls.cert,
      authorities: next.tls.ca !== before.tls.ca || next.tls.proxyCa !== before.tls.proxyCa,
    });
  }

  #own(): ServerCredentials['own'] {
    const { options, clock, hosts, log } = this.#options;
    const { own } = this.#current;
    if ('caKeyPem' in own) return renewCertificates({ clock, hosts }, own);
    return loadCertificates({ clock, hosts, log, folder: join(resolve(options.dataDir), 'pki') });
  }

  #read(): string {
    return this.#paths.map((path) => readTextIfThere(path) ?? '').join('\0');
  }
}

function pathsOf({ options, ephemeral }: CredentialOptions): string[] {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile, requestheaderClientCaFile } = options;
  const named = options.tlsSniCertKey.flatMap(({ certFile, keyFile }) => [certFile, keyFile]);
  const given = [tlsCertFile, tlsPrivateKeyFile, clientCaFile, requestheaderClientCaFile, ...named];
  const own = ['ca.crt', 'serving.crt', 'serving.key'].map((file) => join(resolve(options.dataDir), 'pki', file));
  return [...given, ...(ephemeral ? [] : own)].filter((path) => path !== undefined);
}
