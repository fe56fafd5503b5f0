// Descriptions of built-in types for OpenAPI documents and `kubectl explain`, out of a file that is made when the program
// is built. Read when a document with descriptions is first asked for; each type is read when it is described, so that
// nobody waits for all of them.

import { readFile } from 'node:fs/promises';
import type { TypeDescription, TypeDescriptions } from '../resources/openapi/type-descriptions.ts';

/** What the file is made of: types by the names that the official JavaScript client gives them. */
export interface DescriptionsFile {
  /** Package and version that the words come from. */
  readonly version: string;
  readonly types: Readonly<Record<string, TypeDescription>>;
}

/** Beside the program as it is built; a checkout that runs its source has it where it builds. */
const PLACES = ['./type-descriptions.txt', '../../dist/type-descriptions.txt'];

/** The descriptions that the program was built with; undefined where it was not built. */
export async function builtDescriptions(): Promise<TypeDescriptions | undefined> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return new FileDescriptions(text);
  }
  return undefined;
}

/** The text of the file: the version in the first line, and one line for each type, its name and its description. */
export function descriptionsText({ version, types }: DescriptionsFile): string {
  const lines = Object.entries(types).map(([name, type]) => `${name} ${JSON.stringify(type)}\n`);
  return `${version}\n${lines.join('')}`;
}

/** Descriptions of types by the names that OpenAPI documents have for them. */
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

  /** The client puts the group before a name that several groups have. */
  #find(name: string): string | undefined {
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
