// Descriptions of built-in types for OpenAPI documents and `kubectl explain`, out of a file that is made when the program
// is built. Read when a document with descriptions is first asked for.

import { readFile } from 'node:fs/promises';
import type { TypeDescription, TypeDescriptions } from '../resources/openapi/type-descriptions.ts';

/** The file: types by the names that the official JavaScript client gives them. */
export interface DescriptionsFile {
  /** Package and version that the words come from. */
  readonly version: string;
  readonly types: Readonly<Record<string, { text: string; members: Readonly<Record<string, string>> }>>;
}

/** Beside the program as it is built; a checkout that runs its source has it where it builds. */
const PLACES = ['./type-descriptions.json', '../../dist/type-descriptions.json'];

/** The descriptions that the program was built with; undefined where it was not built. */
export async function builtDescriptions(): Promise<TypeDescriptions | undefined> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return new FileDescriptions(JSON.parse(text) as DescriptionsFile);
  }
  return undefined;
}

/** Descriptions of types by the names that OpenAPI documents have for them. */
export class FileDescriptions implements TypeDescriptions {
  readonly version: string;
  readonly #types: DescriptionsFile['types'];

  constructor({ version, types }: DescriptionsFile) {
    this.version = version;
    this.#types = types;
  }

  async of(names: readonly string[]): Promise<ReadonlyMap<string, TypeDescription>> {
    const found = new Map<string, TypeDescription>();
    for (const name of names) {
      const type = this.#find(name);
      if (type !== undefined) found.set(name, { text: type.text, members: new Map(Object.entries(type.members)) });
    }
    return found;
  }

  /** The client puts the group before a name that several groups have. */
  #find(name: string): DescriptionsFile['types'][string] | undefined {
    const [group = '', version = '', kind = ''] = name.split('.').slice(-3);
    const plain = capitalized(version) + kind;
    for (const model of [capitalized(group) + plain, plain]) {
      if (Object.hasOwn(this.#types, model)) return this.#types[model];
    }
    return undefined;
  }
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
