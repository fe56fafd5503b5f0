// The program `kube-apiserver` of an envtest environment: a server in memory behind kube-apiserver's flags.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../../server/server.ts';
import { parseServeFlags, serveFlags, serveFlagTable } from '../flags.ts';
import { type CommandProcess, serve } from '../serve.ts';

/**
 * Controllers that are kube-apiserver's own. In envtest no kube-controller-manager runs: nobody collects garbage,
 * empties namespaces or makes service accounts, and suites rely on that.
 */
const CONTROLLERS = [
  ...['apiservice-availability-controller', 'cluster-authentication-info-controller', 'event-expiry-controller'],
  ...['flowcontrol-objects-controller', 'flowschema-status-controller', 'kubernetes-service-controller'],
  'legacy-service-account-token-tracking-controller',
].join(',');

/** Flags that say where kube-apiserver keeps things. A server in memory has no use for them. */
const STORAGE = /^--(etcd-|storage-|data-dir|store(=|$)|watch-cache-sizes|delete-collection-workers)/;

/** Flags that `serve` need not know for a suite's sake, as long as they say what is so anyhow. */
const GRANTED: Readonly<Record<string, readonly string[]>> = {
  'authorization-mode': ['RBAC', 'Node,RBAC'],
  'disable-admission-plugins': ['ServiceAccount', ''],
  'insecure-port': ['0'],
};

/** Runs until a signal; the exit status. */
export async function envtestApiServer(argv: readonly string[], command: CommandProcess): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    command.out(`Keelson as the kube-apiserver of an envtest environment.\n\n${serveFlagTable()}`);
    return 0;
  }
  const given = apiServerFlags(argv);
  const parsed = parseServeFlags(['--store=memory', `--controllers=${CONTROLLERS}`, ...given]);
  if (!('options' in parsed)) {
    command.err(`kube-apiserver: ${'error' in parsed ? parsed.error : 'unknown arguments'}\n`);
    return 1;
  }
  const { options } = parsed;
  const start = async () => {
    const { startServer } = await import('../../server/server.ts');
    return quickToStop(await startServer(options, { ephemeral: true }));
  };
  return serve(start, options, command);
}

/** Objects end with the process, so nothing under way is worth waiting for, and suites wait 20 seconds at most. */
function quickToStop(server: Server) {
  const close = () => server.close();
  return { url: server.url, kubeconfig: undefined, drain: close, close };
}

/**
 * The flags as `keelson serve` has them: without those of storage, and with the certificate that lies in --cert-dir.
 */
export function apiServerFlags(argv: readonly string[]): string[] {
  const flags: string[] = [];
  const given = argv.filter((argument) => argument !== '');
  for (let at = 0; at < given.length; at++) {
    const [name, value, spent] = readFlag(given, at);
    at += spent;
    if (STORAGE.test(name)) continue;
    if (name === '--cert-dir') flags.push(...servingCertificate(value));
    else if (!isGranted(name, value)) flags.push(...given.slice(at - spent, at + 1));
  }
  return flags;
}

/** A flag at a place of the arguments, its value, and how many arguments more the value takes. */
function readFlag(argv: readonly string[], at: number): [name: string, value: string, spent: number] {
  const argument = argv[at] as string;
  const equals = argument.indexOf('=');
  if (equals >= 0) return [argument.slice(0, equals), argument.slice(equals + 1), 0];
  const next = argv[at + 1];
  return next === undefined || next.startsWith('-') ? [argument, '', 0] : [argument, next, 1];
}

/** kube-apiserver takes the files of this name when it is not told others. */
function servingCertificate(folder: string): string[] {
  const [cert, key] = [join(folder, 'apiserver.crt'), join(folder, 'apiserver.key')];
  return existsSync(cert) && existsSync(key) ? [`--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`] : [];
}

function isGranted(name: string, value: string): boolean {
  const flag = name.slice(2);
  if (serveFlags.some((known) => known.name === flag)) return false;
  return GRANTED[flag]?.includes(value) === true;
}
