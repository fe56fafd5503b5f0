// How the server authenticates clients at present, for the ConfigMap from which aggregated API servers learn it: it changes
// when files of certificates are replaced.

import type { ClusterAuthentication } from '../controllers/kept-config-map.ts';
import type { ServerCredentials } from './credentials.ts';

export class PublishedAuthorities implements ClusterAuthentication {
  readonly #read: (credentials: ServerCredentials | undefined) => Readonly<Record<string, string>>;
  readonly #listeners = new Set<() => void>();
  #credentials: ServerCredentials | undefined;

  /** @param read the data of the ConfigMap for credentials; undefined for a server without TLS */
  constructor(
    credentials: ServerCredentials | undefined,
    read: (credentials: ServerCredentials | undefined) => Readonly<Record<string, string>>,
  ) {
    this.#credentials = credentials;
    this.#read = read;
  }

  get data(): Readonly<Record<string, string>> {
    return this.#read(this.#credentials);
  }

  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  replace(credentials: ServerCredentials): void {
    this.#credentials = credentials;
    for (const changed of this.#listeners) changed();
  }
}
