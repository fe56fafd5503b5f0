// Descriptions of built-in types for OpenAPI documents and `kubectl explain`, from a file created at build time. The
// file is read when a document with descriptions is first requested, and each type when it is described, so that no
// request waits for all of them.

import { readFile } from 'node:fs/promises';
import type { TypeDescription, TypeDescriptions } from '../resources/openapi/type-descriptions.ts';

/** Content of the file: types by their names in the official JavaScript client. */
export interface DescriptionsFile {
  /** Package and version of the source. */
  readonly version: string;
  readonly types: Readonly<Record<string, TypeDescription>>;
}

/** Next to the built program; a checkout that runs its sources uses that of the build. */
const PLACES = ['./type-descriptions.txt', '../../dist/type-descriptions.txt'];

/** Published names of Kubernetes' own types; those of custom resources begin with their group. */
const BUILT_IN = /^io\.k8s\.(?:api|(?:apimachinery|apiextensions-apiserver|kube-aggregator)\.pkg)\./;

/** The descriptions of the build; undefined if the program was not built. */
export async function builtDescriptions(): Promise<TypeDescriptions | undefined> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return new FileDescriptions(text);
  }
  return undefined;
}

/** The text of the file: the version in the first line, then one line per type with its name and description. */
export function descriptionsText({ version, types }: DescriptionsFile): string {
  const lines = Object.entries(types).map(([name, type]) => `${name} ${JSON.stringify(type)}\n`);
  return `${version}\n${lines.join('')}`;
}

/** Descriptions of types by their OpenAPI names. */
export class FileDescriptions implements TypeDescriptions {
  readonly version: string;
  /** In JSON. */
  readonly #types = new Map<string, string>();

  constructor(text: string) {
    let end = text.indexOf('\n');
    this.version = text.slice(0, end);
    while (end + 1 < text.length) {
      const start = end + 1;
      const space = text.indexOf(' ', start);
      end = text.indexOf('\n', space);
      this.#types.set(text.slice(start, space), text.slice(space + 1, end));
    }
  }

  of(name: string): TypeDescription | undefined {
    const found = this.#find(name);
    return found === undefined ? undefined : (JSON.parse(found) as TypeDescription);
  }

  /** The client prefixes names that occur in several groups. */
  #find(name: string): string | undefined {
    if (!BUILT_IN.test(name)) return undefined;
    const [group = '', version = '', kind = ''] = name.split('.').slice(-3);
    const plain = capitalized(version) + kind;
    for (const model of [capitalized(group) + plain, plain]) {
      const found = this.#types.get(model);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
