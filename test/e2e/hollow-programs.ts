// Programs of containers that hollow nodes do run: the admission webhook of the image agnhost. Each is a local process
// with its own port, and reads the secrets that its pod mounts.

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { CoreV1Api, V1Container, V1Pod } from '@kubernetes/client-node';
import { freePort } from '../processes.ts';
import { until } from '../until.ts';
import { agnhostProgram } from './programs.ts';

/** The commands of the image that are run. */
const COMMANDS = new Set(['webhook']);

interface HollowProgramsOptions {
  readonly core: CoreV1Api;
  /** For mounted volumes, and for logs. */
  readonly folder: string;
}

export class HollowPrograms implements Disposable {
  readonly #core: CoreV1Api;
  readonly #folder: string;
  /** By the pod's uid, from its first start on. */
  readonly #running = new Map<string, Promise<readonly ChildProcess[]>>();
  /** The local ports, by the pod's address and port. */
  readonly #ports = new Map<string, number>();

  constructor({ core, folder }: HollowProgramsOptions) {
    this.#core = core;
    this.#folder = folder;
  }

  /** Returns the local port for a pod's address and port. */
  portOf(address: string): number | undefined {
    return this.#ports.get(address);
  }

  /** Starts the pod's programs unless they are running; resolves when all are listening. */
  async run(pod: V1Pod, podIP: string): Promise<void> {
    const { uid = '' } = pod.metadata ?? {};
    const containers = pod.spec!.containers.filter(runs);
    if (containers.length === 0 || pod.metadata?.deletionTimestamp !== undefined) return;
    let starting = this.#running.get(uid);
    if (starting === undefined) {
      starting = Promise.all(containers.map((container) => this.#start(pod, container, podIP)));
      this.#running.set(uid, starting);
      starting.catch(() => this.#running.delete(uid));
    }
    await starting;
  }

  /** Stops the programs of a pod. */
  async stop(uid: string): Promise<void> {
    const children = this.#running.get(uid);
    this.#running.delete(uid);
    // A program that failed to start need not be stopped.
    for (const child of (await children?.catch(() => [])) ?? []) child.kill('SIGKILL');
    if (children !== undefined) await rm(join(this.#folder, uid), { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    for (const uid of this.#running.keys()) void this.stop(uid);
  }

  async #start(pod: V1Pod, container: V1Container, podIP: string): Promise<ChildProcess> {
    const { name = '' } = pod.metadata ?? {};
    const mounts = await this.#mount(pod, container);
    const port = await freePort();
    const args = container.args!.map((arg) => withPaths(arg, mounts).replace(/^--port=(\d+)$/, `--port=${port}`));
    const named = /^--port=(\d+)$/m.exec(container.args!.join('\n'))?.[1] ?? '443';
    const log = openSync(join(this.#folder, `${name}.log`), 'w');
    const child = spawn(agnhostProgram, args, { stdio: ['ignore', log, log] });
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    await until(`${name} listens`, () => answers(port));
    this.#ports.set(`${podIP}:${named}`, port);
    return child;
  }

  /** Writes the secrets that a container mounts; returns where each is, by its path in the container. */
  async #mount(pod: V1Pod, container: V1Container): Promise<Map<string, string>> {
    const { uid = '', namespace = '' } = pod.metadata ?? {};
    const mounts = new Map<string, string>();
    for (const { name, mountPath } of container.volumeMounts ?? []) {
      const secret = pod.spec!.volumes?.find((volume) => volume.name === name)?.secret?.secretName;
      if (secret === undefined) continue;
      const { data = {} } = await this.#core.readNamespacedSecret({ namespace, name: secret });
      const folder = join(this.#folder, uid, name);
      await mkdir(folder, { recursive: true });
      for (const [key, value] of Object.entries(data)) await writeFile(join(folder, key), Buffer.from(value, 'base64'));
      mounts.set(mountPath, folder);
    }
    return mounts;
  }
}

function runs({ image = '', args = [] }: V1Container): boolean {
  return /\bagnhost\b/.test(image) && COMMANDS.has(args[0] ?? '');
}

function withPaths(arg: string, mounts: ReadonlyMap<string, string>): string {
  for (const [path, folder] of mounts) if (arg.includes(`=${path}/`)) return arg.replace(path, folder);
  return arg;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.end();
  });
}
