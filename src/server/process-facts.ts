// Facts about the server's process and machine, for metrics and /version.

import { readdirSync } from 'node:fs';
import { arch, networkInterfaces, platform } from 'node:os';
import type { ProcessFacts } from '../lifecycle/server-metrics.ts';
import type { Runtime } from '../lifecycle/version.ts';
import type { InterfaceAddress } from './advertised-address.ts';

/** Read when metrics are. */
export function processFacts(): ProcessFacts {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    startSeconds: Date.now() / 1000 - process.uptime(),
    openFiles: openFiles(),
    maxFiles: 0,
  };
}

/** Zero where the system does not tell. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

export function runtimeFacts(): Runtime {
  return { nodeVersion: process.version, platform: platform(), arch: arch() };
}

/** All addresses of the machine. */
export function machineAddresses(): InterfaceAddress[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}
