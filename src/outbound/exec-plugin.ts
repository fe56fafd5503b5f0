// Credential plugins of kubeconfigs (client.authentication.k8s.io): a command prints a token or a client certificate,
// which is cached until it expires or is rejected. Messages are those of client-go.

import { execFile } from 'node:child_process';
import type { Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { isCertificate } from './certificate-text.ts';
import { at, text } from './kubeconfig-faults.ts';

export interface ExecCredentials {
  readonly token: string | undefined;
  /** PEM of a client certificate and its key. */
  readonly clientCertificate: { readonly cert: string; readonly key: string } | undefined;
}

export interface ExecPlugin {
  /**
   * Runs the command if there are no credentials or they have expired. Rejects with an Error that says why there are
   * none.
   */
  credentials(): Promise<ExecCredentials>;
  /** Runs it again, unless that has been done since these credentials were returned. */
  refused(credentials: ExecCredentials): Promise<void>;
}

interface ExecPluginOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The cluster information for a plugin that asks for it. */
  readonly cluster?: JsonObject | undefined;
}

const GROUP = 'client.authentication.k8s.io';
const VERSIONS = [`${GROUP}/v1`, `${GROUP}/v1beta1`];

/** Why a plugin cannot be used. @param plugin the `exec` field of a user */
export function execPluginFault(plugin: Json): string | undefined {
  const version = text(plugin, 'apiVersion');
  return VERSIONS.includes(version) ? undefined : `exec plugin: invalid apiVersion ${goQuote(version)}`;
}

/** @param plugin the `exec` field of a user */
export function execPlugin(plugin: Json, { now, cluster }: ExecPluginOptions): ExecPlugin {
  let kept: { credentials: ExecCredentials; expiresMs: number } | undefined;
  let running: Promise<ExecCredentials> | undefined;
  const ask = (): Promise<ExecCredentials> => {
    running ??= runPlugin(plugin, cluster)
      .then((status) => {
        const expiresMs = Date.parse(text(status, 'expirationTimestamp'));
        kept = {
          credentials: credentialsIn(status),
          expiresMs: Number.isNaN(expiresMs) ? Number.POSITIVE_INFINITY : expiresMs,
        };
        return kept.credentials;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    async credentials() {
      if (kept !== undefined && now() <= kept.expiresMs) return kept.credentials;
      return ask().catch((error: Error) => {
        throw new Error(`getting credentials: ${error.message}`, { cause: error });
      });
    },
    async refused(credentials) {
      if (kept?.credentials === credentials) await ask();
    },
  };
}

async function runPlugin(plugin: Json, cluster: JsonObject | undefined): Promise<Json> {
  if (text(plugin, 'interactiveMode') === 'Always') {
    throw new Error('exec plugin cannot support interactive mode: standard input is not a terminal');
  }
  const apiVersion = text(plugin, 'apiVersion');
  const told = at(plugin, 'provideClusterInfo') === true && cluster !== undefined ? { cluster } : {};
  const info = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: { ...told, interactive: false } });
  const answer = decoded(await outputOf(plugin, info));
  const version = text(answer, 'apiVersion');
  if (version !== apiVersion) {
    throw new Error(`exec plugin is configured to use API version ${apiVersion}, plugin returned version ${version}`);
  }
  const status = at(answer, 'status');
  if (status === undefined || status === null) throw new Error("exec plugin didn't return a status field");
  return status;
}

function outputOf(plugin: Json, info: string): Promise<string> {
  const command = text(plugin, 'command');
  const args = at(plugin, 'args');
  const options = {
    env: { ...process.env, ...environment(at(plugin, 'env')), KUBERNETES_EXEC_INFO: info },
    ...{ timeout: limits.execPluginMs, maxBuffer: limits.execPluginBytes },
  };
  return new Promise((resolve, reject) => {
    execFile(command, Array.isArray(args) ? args.map(String) : [], options, (error, stdout) => {
      if (error === null) return resolve(stdout);
      reject(new Error(`exec: ${whyFailed(command, error)}`, { cause: error }));
    });
  });
}

function whyFailed(command: string, { code, message }: { code?: unknown; message: string }): string {
  if (code === 'ENOENT') return `executable ${command} not found`;
  if (typeof code === 'number') return `executable ${command} failed with exit code ${code}`;
  return message;
}

/** @throws Error for an invalid object */
function decoded(output: string): Json {
  let answer: Json;
  try {
    answer = JSON.parse(output) as Json;
  } catch (error) {
    throw new Error(`decoding stdout: couldn't get version/kind; json parse error: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (text(answer, 'kind') === '') throw new Error(`decoding stdout: Object 'Kind' is missing in '${output}'`);
  const [kind, version] = [text(answer, 'kind'), text(answer, 'apiVersion')];
  if (kind === 'ExecCredential' && VERSIONS.includes(version)) return answer;
  throw new Error(`decoding stdout: no kind ${goQuote(kind)} is registered for version ${goQuote(version)}`);
}

/** @throws Error for a status without complete credentials */
function credentialsIn(status: Json): ExecCredentials {
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((name) => text(status, name));
  if (token === '' && cert === '' && key === '') throw new Error("exec plugin didn't return a token or cert/key pair");
  if ((cert === '') !== (key === '')) throw new Error('exec plugin returned only certificate or key, not both');
  const clientCertificate = cert === undefined || cert === '' || key === undefined ? undefined : { cert, key };
  if (clientCertificate !== undefined && !isCertificate(clientCertificate.cert)) {
    throw new Error('failed parsing client key/certificate: tls: failed to find any PEM data in certificate input');
  }
  return { token: token || undefined, clientCertificate };
}

function environment(entries: Json | undefined): Record<string, string> {
  if (!Array.isArray(entries)) return {};
  return Object.fromEntries(entries.map((entry) => [text(entry, 'name'), text(entry, 'value')]));
}
