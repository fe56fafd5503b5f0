// A log file with rotation: when it has grown too large it is renamed with a timestamp and optionally compressed, and
// old files are deleted by number and age.

import { createReadStream, createWriteStream, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { LineOutput } from '../../audit/log-writer.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { FileWrites, type WritableFile } from './file-writes.ts';

interface RotatingFileOptions {
  readonly path: string;
  /** Per file; 0 for 100. */
  readonly maxMegabytes: number;
  /** Number and age of old files to keep; 0 for no limit. */
  readonly maxBackups: number;
  readonly maxAgeDays: number;
  readonly compresses: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

const DEFAULT_MEGABYTES = 100;
const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The most bytes per character. */
const MOST_BYTES = 3;
const COMPRESSED = '.gz';
const MODE = 0o600;

export class RotatingFile implements LineOutput {
  readonly #options: RotatingFileOptions;
  readonly #writes: FileWrites;
  #file: OpenFile | undefined;
  #bytes = 0;
  #shared: Buffer | undefined;
  /** The latest write, which the next one waits for. */
  #latest: Promise<void> = Promise.resolve();
  /** Housekeeping of old files, one task after another. */
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#writes = new FileWrites(options.clock);
  }

  /** Lines of one call are written together unless the file becomes full; those of several calls in their order. */
  write(lines: readonly string[]): Promise<void> {
    const write = this.#latest.then(() => this.#write(lines));
    this.#latest = write.catch(() => {});
    return write;
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (this.#file !== undefined) {
      // Usually there is room for all lines, so they need not be checked one by one.
      let text = '';
      // Concatenated, which is fast in V8: join() would copy what encoding copies anyway.
      for (const line of lines) text += line;
      const bytes = this.#encoded(text);
      if (this.#bytes + bytes.length <= this.#maxBytes) return this.#append(bytes);
    }
    await this.#writeEach(lines);
  }

  /** Uses a buffer that is shared by all writes, unless the text is too long: there is one write at a time. */
  #encoded(text: string): Buffer {
    if (text.length * MOST_BYTES > limits.auditWriteBytes) return Buffer.from(text);
    this.#shared ??= Buffer.allocUnsafeSlow(limits.auditWriteBytes);
    return this.#shared.subarray(0, this.#shared.write(text));
  }

  async #writeEach(lines: readonly string[]): Promise<void> {
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    const flush = async () => {
      if (pendingBytes > 0) await this.#append(Buffer.concat(pending, pendingBytes));
      pending = [];
      pendingBytes = 0;
    };
    for (const line of lines) {
      const bytes = Buffer.from(line);
      if (bytes.length > this.#maxBytes) {
        throw new Error(`write length ${bytes.length} exceeds maximum file size ${this.#maxBytes}`);
      }
      await this.#ready();
      if (this.#bytes + pendingBytes + bytes.length > this.#maxBytes) {
        await flush();
        await this.#rotate();
      }
      pending.push(bytes);
      pendingBytes += bytes.length;
    }
    await flush();
  }

  async close(): Promise<void> {
    await this.#latest;
    await this.#file?.close();
    this.#file = undefined;
    await this.#tidying;
  }

  get #maxBytes(): number {
    return (this.#options.maxMegabytes || DEFAULT_MEGABYTES) * MEGABYTE;
  }

  async #ready(): Promise<OpenFile> {
    if (this.#file !== undefined) return this.#file;
    const handle = await open(this.#options.path, 'a', MODE);
    const stats = await handle.stat();
    this.#bytes = stats.size;
    this.#file = new OpenFile(handle, stats.isFile());
    return this.#file;
  }

  async #append(bytes: Buffer): Promise<void> {
    const file = await this.#ready();
    try {
      await this.#writes.write(file, bytes);
      this.#bytes += bytes.length;
    } catch (error) {
      // Whatever went wrong, the file is reopened for the next write.
      this.#file = undefined;
      await file.close().catch(() => {});
      throw error;
    }
  }

  async #rotate(): Promise<void> {
    const { path, clock } = this.#options;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    await rename(path, this.#backupPath(clock.now()));
    await this.#ready();
    this.#tidying = this.#tidying.then(() => this.#tidy());
  }

  #backupPath(nowMs: number): string {
    const { path } = this.#options;
    const [prefix, extension] = this.#parts();
    const stamp = new Date(nowMs).toISOString().slice(0, -1).replaceAll(':', '-');
    return join(dirname(path), `${prefix}${stamp}${extension}`);
  }

  #parts(): [prefix: string, extension: string] {
    const name = basename(this.#options.path);
    const dot = name.lastIndexOf('.');
    const extension = dot < 0 ? '' : name.slice(dot);
    return [`${name.slice(0, name.length - extension.length)}-`, extension];
  }

  async #tidy(): Promise<void> {
    const { log, path } = this.#options;
    try {
      await this.#removeOld();
      if (this.#options.compresses) await this.#compress();
    } catch (error) {
      log.error('old audit logs could not be tidied up', { path, error });
    }
  }

  async #removeOld(): Promise<void> {
    const { maxBackups, maxAgeDays, clock } = this.#options;
    const backups = await this.#backups();
    const oldest = clock.now() - maxAgeDays * DAY_MS;
    // A file and its compressed form count as one.
    const kept = new Set<number>();
    for (const { path, atMs } of backups) {
      kept.add(atMs);
      const isTooMany = maxBackups > 0 && kept.size > maxBackups;
      const isTooOld = maxAgeDays > 0 && atMs < oldest;
      if (isTooMany || isTooOld) await rm(path, { force: true });
    }
  }

  async #compress(): Promise<void> {
    for (const { path } of await this.#backups()) {
      if (path.endsWith(COMPRESSED)) continue;
      const packed = `${path}${COMPRESSED}`;
      await pipeline(createReadStream(path), createGzip(), createWriteStream(packed, { mode: MODE }));
      await rm(path);
    }
  }

  /** The newest first. */
  async #backups(): Promise<{ path: string; atMs: number }[]> {
    const folder = dirname(this.#options.path);
    const [prefix, extension] = this.#parts();
    const found: { path: string; atMs: number }[] = [];
    for (const name of await readdir(folder)) {
      const plain = extname(name) === COMPRESSED ? name.slice(0, -COMPRESSED.length) : name;
      if (!plain.startsWith(prefix) || !plain.endsWith(extension)) continue;
      const stamp = plain.slice(prefix.length, plain.length - extension.length);
      const time = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(stamp);
      if (time === null) continue;
      found.push({ path: join(folder, name), atMs: Date.parse(`${time[1]}T${time[2]}:${time[3]}:${time[4]}Z`) });
    }
    return found.sort((one, other) => other.atMs - one.atMs);
  }
}

class OpenFile implements WritableFile {
  readonly isRegular: boolean;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, isRegular: boolean) {
    this.#handle = handle;
    this.isRegular = isRegular;
  }

  writeNow(bytes: Buffer, from: number): number {
    return writeSync(this.#handle.fd, bytes, from);
  }

  async writeLater(bytes: Buffer, from: number): Promise<number> {
    return (await this.#handle.write(bytes, from)).bytesWritten;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
