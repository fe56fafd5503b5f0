// Descriptions of types out of the official JavaScript client, where that is installed beside the server: the
// declarations of its models carry Kubernetes' own words. One file is read for each type that is asked for.

import { readFile } from 'node:fs/promises';
import type { TypeDescription, TypeDescriptions } from '../resources/openapi/type-descriptions.ts';

const PACKAGE = '@kubernetes/client-node';

/** The descriptions in the client; undefined where there is none. */
export async function clientDescriptions(): Promise<TypeDescriptions | undefined> {
  try {
    const entry = import.meta.resolve(PACKAGE);
    const { version } = JSON.parse(await readFile(new URL('../package.json', entry), 'utf8')) as { version: string };
    return new ClientDescriptions(new URL('gen/models/', entry), `${PACKAGE} ${version}`);
  } catch {
    // Not installed, or laid out in another way: documents are without prose then.
    return undefined;
  }
}

/** Reads the declarations in one folder. */
export class ClientDescriptions implements TypeDescriptions {
  readonly version: string;
  readonly #folder: URL;

  constructor(folder: URL, version: string) {
    this.#folder = folder;
    this.version = version;
  }

  async of(names: readonly string[]): Promise<ReadonlyMap<string, TypeDescription>> {
    const found = new Map<string, TypeDescription>();
    for (const name of names) {
      const declaration = await this.#declaration(name);
      if (declaration !== undefined) found.set(name, descriptionIn(declaration));
    }
    return found;
  }

  /** The client puts the group before a name that several groups have. */
  async #declaration(name: string): Promise<string | undefined> {
    const [group = '', version = '', kind = ''] = name.split('.').slice(-3);
    const plain = capitalized(version) + kind;
    for (const model of [capitalized(group) + plain, plain]) {
      const text = await readFile(new URL(`${model}.d.ts`, this.#folder), 'utf8').catch(() => undefined);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

const CLASS = /\/\*\*\n\* (.*)\n\*\/\nexport declare class /;
const MEMBER = /^ {4}\/\*\*\n {4}\* (.*)\n {4}\*\/\n {4}'([^']+)'\??:/gm;

function descriptionIn(declaration: string): TypeDescription {
  const members = new Map<string, string>();
  for (const [, text = '', name = ''] of declaration.matchAll(MEMBER)) members.set(memberName(name), plainText(text));
  return { text: plainText(CLASS.exec(declaration)?.[1] ?? ''), members };
}

/** The name in JSON: the client changes those that JavaScript can't have for variables. */
function memberName(name: string): string {
  return name.startsWith('x_kubernetes_') ? name.replaceAll('_', '-') : name.replace(/^_/, '');
}

/** What would end the comment is written otherwise in it. */
function plainText(text: string): string {
  return text.replaceAll('*_/', '*/').trim();
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
