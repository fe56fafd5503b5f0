// The text of kubeconfigs for this server.

import { Buffer } from 'node:buffer';

interface KubeconfigUser {
  readonly name: string;
  /** A client certificate with its key, PEM, or a token. */
  readonly credentials: { readonly certPem: string; readonly keyPem: string } | { readonly token: string };
}

interface KubeconfigFacts {
  /** The URL for clients: https://127.0.0.1:6443 */
  readonly server: string;
  /** The CA by which clients verify the server, PEM. */
  readonly caPem: string;
  readonly user: KubeconfigUser;
  readonly context: string;
}

/** A kubeconfig with a single context. */
export function kubeconfigText({ server, caPem, user, context }: KubeconfigFacts): string {
  const { credentials } = user;
  const lines =
    'token' in credentials
      ? `token: ${credentials.token}`
      : `client-certificate-data: ${base64(credentials.certPem)}\n    client-key-data: ${base64(credentials.keyPem)}`;
  return `apiVersion: v1
kind: Config
clusters:
- name: keelson
  cluster:
    server: ${JSON.stringify(server)}
    certificate-authority-data: ${base64(caPem)}
users:
- name: ${word(user.name)}
  user:
    ${lines}
contexts:
- name: ${word(context)}
  context:
    cluster: keelson
    user: ${word(user.name)}
current-context: ${word(context)}
preferences: {}
`;
}

/** In quotes, unless YAML reads the same without them. */
function word(text: string): string {
  return /^[a-z]+-[a-z]+$|^keelson$/.test(text) ? text : JSON.stringify(text);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
