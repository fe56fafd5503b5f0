// Credentials of exec plugins (client.authentication.k8s.io): the command that a kubeconfig names prints a token or a
// client certificate, which is kept until it expires.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Json, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';

export interface ExecCredentials {
  readonly token: string | undefined;
  /** PEM of a client certificate and of its key. */
  readonly clientCertificate: { readonly cert: string; readonly key: string } | undefined;
}

const run = promisify(execFile);

/**
 * @param plugin the `exec` member of a user
 * @returns the credentials; runs the command when there are none, or they have expired.
 *   Rejects with an Error whose message names the command.
 */
export function execCredentials(plugin: JsonObject): () => Promise<ExecCredentials> {
  let kept: { credentials: ExecCredentials; expires: number } | undefined;
  let running: Promise<ExecCredentials> | undefined;
  const ask = async (): Promise<ExecCredentials> => {
    const status = await runPlugin(plugin);
    const credentials = { token: text(status, 'token'), clientCertificate: certificateOf(status) };
    const expires = Date.parse(text(status, 'expirationTimestamp') ?? '');
    kept = { credentials, expires: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires };
    return credentials;
  };
  return async () => {
    if (kept !== undefined && Date.now() < kept.expires) return kept.credentials;
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function runPlugin(plugin: JsonObject): Promise<Json | undefined> {
  const command = text(plugin, 'command') ?? '';
  const args = Array.isArray(plugin['args']) ? plugin['args'].map(String) : [];
  const apiVersion = text(plugin, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  try {
    const { stdout } = await run(command, args, {
      env: { ...process.env, ...environment(plugin['env']), KUBERNETES_EXEC_INFO: info },
      timeout: limits.execPluginMs,
      maxBuffer: limits.execPluginBytes,
    });
    const answer = JSON.parse(stdout) as JsonObject;
    return answer['status'];
  } catch (error) {
    throw new Error(`getting credentials: exec: ${command}: ${(error as Error).message}`, { cause: error });
  }
}

function environment(entries: Json | undefined): Record<string, string> {
  if (!Array.isArray(entries)) return {};
  return Object.fromEntries(entries.map((entry) => [text(entry, 'name') ?? '', text(entry, 'value') ?? '']));
}

function certificateOf(status: Json | undefined): ExecCredentials['clientCertificate'] {
  const [cert, key] = [text(status, 'clientCertificateData'), text(status, 'clientKeyData')];
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

function text(value: Json | undefined, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const found = value[name];
  return typeof found === 'string' && found !== '' ? found : undefined;
}
