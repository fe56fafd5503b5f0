// The files of a folder of manifests and the documents in them, in the order of their names.

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { goQuote } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import { systemFault } from '../files.ts';

interface ManifestDocument {
  /** The path of its file. */
  readonly path: string;
  readonly text: string;
}

interface ManifestFiles {
  readonly documents: readonly ManifestDocument[];
  /** `sha256:…` of all files; '' if they are all empty. */
  readonly hash: string;
}

const ENDS = ['.yaml', '.yml', '.json'];

/** @throws Error with kube-apiserver's message */
export async function readManifestFiles(folder: string): Promise<ManifestFiles> {
  const documents: ManifestDocument[] = [];
  const sum = createHash('sha256');
  let bytes = 0;
  for (const path of await manifestPaths(folder)) {
    const content = await readFile(path).catch((error: unknown) => {
      throw new Error(`failed to read file ${goQuote(path)}: ${systemFault(error)}`, { cause: error });
    });
    if (content.length === 0) continue;
    bytes += content.length;
    if (bytes > limits.manifestBytes) {
      throw new Error(`manifests in ${goQuote(folder)} have more than ${limits.manifestBytes} bytes`);
    }
    sum.update(content).update(SEPARATOR);
    documents.push(...documentsIn(path, content.toString('utf8')));
  }
  return { documents, hash: bytes === 0 ? '' : `sha256:${sum.digest('hex')}` };
}

const SEPARATOR = Buffer.from([0]);

/** A text that changes with the files of a folder, without reading them. Never fails. */
export async function manifestState(folder: string): Promise<string> {
  try {
    const states = (await manifestPaths(folder)).map(async (path) => {
      const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
      return [path, ino, size, mtimeNs, ctimeNs].join(' ');
    });
    return (await Promise.all(states)).join('\n');
  } catch (error) {
    return `unreadable: ${systemFault(error)}`;
  }
}

async function manifestPaths(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    const fault = systemFault(Object.assign(error as Error, { syscall: 'open' }));
    throw new Error(`failed to read manifest directory ${goQuote(folder)}: ${fault}`, { cause: error });
  });
  const names = entries.filter((entry) => !entry.isDirectory() && isManifest(entry.name)).map(({ name }) => name);
  if (names.length > limits.manifestFiles) {
    throw new Error(`manifest directory ${goQuote(folder)} has more than ${limits.manifestFiles} manifests`);
  }
  return names.sort().map((name) => join(folder, name));
}

function isManifest(name: string): boolean {
  const lower = name.toLowerCase();
  return ENDS.some((end) => lower.endsWith(end));
}

/** Lines of three hyphens separate documents; at the beginning of one they belong to it. */
function documentsIn(path: string, content: string): ManifestDocument[] {
  const texts: string[] = [];
  let lines: string[] = [];
  for (const line of content.split('\n')) {
    if (line.startsWith('---')) {
      const rest = line.slice(3).trim();
      if (rest !== '' && !rest.startsWith('#')) {
        const why = `invalid Yaml document separator: ${rest}`;
        throw new Error(`failed to split YAML documents in file ${goQuote(path)}: ${why}`);
      }
      if (lines.length > 0) {
        texts.push(lines.join('\n'));
        lines = [];
        continue;
      }
    }
    lines.push(line);
  }
  texts.push(lines.join('\n'));
  return texts.flatMap((each) => (each.trim() === '' ? [] : [{ path, text: each.trim() }]));
}
