// The archives that `keelson setup-envtest sideload` reads: the programs of another kube-apiserver, in a .tar.gz file.

import { chmodSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { limits } from '../../base/limits.ts';
import { makeFolder } from '../../server/files.ts';

const BLOCK = 512;
const EXECUTABLE = 0o111;

/**
 * Unpacks the files of an archive into one folder, whatever folders they are in.
 *
 * @throws Error if it is no such archive, or too large
 */
export async function unpackInto(folder: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  makeFolder(folder, 0o777);
  const writer = new FileWriter(folder);
  try {
    await pipeline(archive, createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) writer.take(piece);
    });
    writer.end();
  } finally {
    writer.close();
  }
}

/** Writes the regular files of a tar archive that arrives in pieces. */
class FileWriter {
  readonly #folder: string;
  #bytes = 0;
  /** The beginning of a header. */
  #header = Buffer.alloc(0);
  /** The file that is being written; undefined for an entry that is not one. */
  #file: { readonly descriptor: number; readonly path: string; readonly isProgram: boolean } | undefined;
  /** How much of the entry is to come, and how much padding after it. */
  #content = 0;
  #padding = 0;
  #files = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > limits.envtestArchiveBytes) throw new Error('the archive is too large');
    for (let rest = piece; rest.length > 0; ) {
      const step = this.#content > 0 ? this.#content : this.#padding > 0 ? this.#padding : BLOCK - this.#header.length;
      const part = rest.subarray(0, step);
      rest = rest.subarray(part.length);
      if (this.#content > 0) this.#takeContent(part);
      else if (this.#padding > 0) this.#padding -= part.length;
      else this.#takeHeader(part);
    }
  }

  end(): void {
    if (this.#content > 0 || this.#padding > 0 || this.#header.length > 0) throw new Error('the archive is cut off');
    if (this.#files === 0) throw new Error('the archive has no files');
  }

  close(): void {
    if (this.#file === undefined) return;
    const { descriptor, path, isProgram } = this.#file;
    closeSync(descriptor);
    chmodSync(path, isProgram ? 0o555 : 0o444);
    this.#file = undefined;
  }

  #takeContent(part: Buffer): void {
    this.#content -= part.length;
    if (this.#file !== undefined) writeFileSync(this.#file.descriptor, part);
    if (this.#content === 0) this.close();
  }

  #takeHeader(part: Buffer): void {
    this.#header = Buffer.concat([this.#header, part]);
    if (this.#header.length < BLOCK) return;
    const header = this.#header;
    this.#header = Buffer.alloc(0);
    // Two empty blocks end an archive.
    if (header.every((byte) => byte === 0)) return;
    const size = octal(header, 124, 12);
    if (octal(header, 148, 8) !== checksum(header)) throw new Error('the archive is damaged, or not a tar archive');
    this.#content = size;
    this.#padding = (BLOCK - (size % BLOCK)) % BLOCK;
    const isFile = header[156] === 0 || header[156] === 0x30;
    const name = posix.basename(text(header, 0, 100));
    if (!isFile || name === '' || name === '.' || name === '..') return;
    const path = join(this.#folder, name);
    this.#file = { descriptor: openSync(path, 'w'), path, isProgram: (octal(header, 100, 8) & EXECUTABLE) !== 0 };
    this.#files++;
    if (size === 0) this.close();
  }
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString();
}

function octal(header: Buffer, start: number, length: number): number {
  const digits = text(header, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new Error('the archive is damaged, or not a tar archive');
  return Number.parseInt(digits || '0', 8);
}

/** The sum of all bytes, in which those of the sum count as spaces. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}
