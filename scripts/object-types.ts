// Writes the TypeScript types of built-in kinds' decoded objects beside the declarations that they follow from:
// `policy/v1.ts` has its types in `policy/v1-objects.ts`, `core/pod/types.ts` in `core/pod/objects.ts`. Rules of kinds
// read typed members by them, and a misspelt one does not compile. `node scripts/object-types.ts` writes the files, a
// test keeps them current.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { canBeEmpty, MADE, zeroOf } from '../src/schema/decode.ts';
import { formMember } from '../src/schema/decode-state.ts';
import type { Field, Node, StructNode } from '../src/schema/node.ts';

const ROOT = join(import.meta.dirname, '..', 'src/resources/builtin');
/** Where metadata and untyped JSON have their types. */
const OBJECT = '../../api/object.ts';
const METADATA = 'meta/v1.ObjectMeta';

/** Where a type is declared, and its name there. */
interface Place {
  readonly file: string;
  readonly name: string;
}

type Places = ReadonlyMap<StructNode, Place>;

/** The types of one file of declarations. */
export interface ObjectTypes {
  /** Below src/resources/builtin. */
  readonly file: string;
  readonly text: string;
}

/** The types of all declarations, file by file. */
export async function objectTypes(): Promise<ObjectTypes[]> {
  const places = new Map<StructNode, Place>();
  const files = new Map<string, StructNode[]>();
  for (const file of declarationFiles()) {
    const exported = (await import(join(ROOT, file))) as Record<string, unknown>;
    const declared = Object.entries(exported).filter((entry): entry is [string, StructNode] => isStruct(entry[1]));
    for (const [name, node] of declared) if (!places.has(node)) places.set(node, { file, name });
    const order = readFileSync(join(ROOT, file), 'utf8');
    files.set(
      file,
      declared
        .filter(([, node]) => places.get(node)?.file === file && node.name !== METADATA && !isListOfObjects(node))
        .sort(([one], [other]) => placeIn(order, one) - placeIn(order, other))
        .map(([, node]) => node),
    );
  }
  return [...files].flatMap(([file, nodes]) => (nodes.length === 0 ? [] : [fileOf(file, nodes, places)]));
}

/** The files that declare types of served versions: those that types.ts imports, and what they import. */
function declarationFiles(): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    for (const [, target = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(
      /^(?:import|\}) .*from '(\.[^']*)';$/gm,
    )) {
      const next = join(dirname(file), target);
      if (next.startsWith('..') || found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit('types.ts');
  return [...found].sort();
}

function placeIn(text: string, name: string): number {
  return text.search(new RegExp(`^export const ${name}\\b`, 'm'));
}

function isStruct(value: unknown): value is StructNode {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'struct';
}

function isListOfObjects(node: StructNode): boolean {
  return node.kinds.some((kind) => kind.endsWith('List'));
}

function typesFile(file: string): string {
  return file.endsWith('/types.ts') ? file.replace('types.ts', 'objects.ts') : file.replace('.ts', '-objects.ts');
}

function fileOf(file: string, nodes: readonly StructNode[], places: Places): ObjectTypes {
  const own = typesFile(file);
  const imports = new Map<string, Set<string>>();
  const refer = (from: string, name: string): string => {
    if (from !== own) imports.set(from, (imports.get(from) ?? new Set()).add(name));
    return name;
  };
  const writer = new TypeWriter(places, refer);
  const types = nodes.map((node) => writer.declaration(node));
  const lines = [...imports]
    .map(([from, names]) => importLine(own, from, [...names].sort()))
    .sort((one, other) => comparable(one) - comparable(other) || (path(one) < path(other) ? -1 : 1));
  const head = `// The objects of ${file}, decoded. Written by scripts/object-types.ts: change the declarations instead.\n`;
  return {
    file: own,
    text: `${[head, ...(lines.length === 0 ? [] : [`${lines.join('\n')}\n`]), ...types].join('\n')}`,
  };
}

/** Imports from farther away come first. */
function comparable(line: string): number {
  return -(line.match(/\.\.\//g)?.length ?? 0);
}

function path(line: string): string {
  return line.slice(line.lastIndexOf("from '"));
}

function importLine(own: string, from: string, names: readonly string[]): string {
  const way = relative(dirname(own), from);
  const where = `'${way.startsWith('.') ? way : `./${way}`}'`;
  const line = `import type { ${names.join(', ')} } from ${where};`;
  return line.length <= 120 ? line : `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from ${where};`;
}

class TypeWriter {
  readonly #places: Places;
  readonly #refer: (file: string, name: string) => string;

  constructor(places: Places, refer: (file: string, name: string) => string) {
    this.#places = places;
    this.#refer = refer;
  }

  declaration(node: StructNode): string {
    const { name } = this.#places.get(node) as Place;
    if (node.form !== undefined) return `export type ${name} = ${this.#formed(node)};\n`;
    const members = [...node.jsonFields.values()].map((field) => this.#member(field, node));
    return members.length === 0
      ? `export type ${name} = Readonly<Record<string, never>>;\n`
      : `export type ${name} = {\n${members.join('')}};\n`;
  }

  #member(field: Field, owner: StructNode): string {
    // Every object has metadata: the server sees to it before any rule is asked.
    const must = owner.kinds.length > 0 && field.node.kind === 'struct' && field.node.name === METADATA;
    const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : `'${field.name}'`;
    return `  readonly ${name}${must ? '' : '?'}: ${this.#typeOf(field.node)}${canBeNull(field) ? ' | null' : ''};\n`;
  }

  #typeOf(node: Node): string {
    switch (node.kind) {
      case 'list': {
        const items = this.#itemOf(node.items);
        return `readonly ${items.includes(' ') ? `(${items})` : items}[]`;
      }
      case 'map':
        return `Readonly<Record<string, ${this.#valueOf(node.values)}>>`;
      case 'struct':
        return this.#structOf(node);
      case 'bool':
        return 'boolean';
      case 'int32':
      case 'float64':
        return 'number';
      case 'int64':
        return 'number | bigint';
      case 'intOrString':
        return 'number | string';
      case 'raw':
      case 'fields':
      case 'json':
        return this.#refer(OBJECT, 'Json');
      default:
        return 'string';
    }
  }

  /** An item that was given as null is its type's zero value, which is null itself for lists, maps and times. */
  #itemOf(node: Node): string {
    const type = this.#typeOf(node);
    return zeroOf(node) === null && type !== 'Json' ? `${type} | null` : type;
  }

  /** As #itemOf, but bytes that were given as null are none. */
  #valueOf(node: Node): string {
    return node.kind === 'bytes' ? 'string' : this.#itemOf(node);
  }

  #structOf(node: StructNode): string {
    if (node.name === METADATA) return this.#refer(OBJECT, 'ObjectMeta');
    const place = this.#places.get(node.variantOf ?? node);
    if (place === undefined) throw new Error(`${node.name} is declared, but not exported by a file of declarations`);
    return this.#refer(typesFile(place.file), place.name);
  }

  /** A struct that is not written as its members. */
  #formed(node: StructNode): string {
    if (node.form === 'raw') return this.#refer(OBJECT, 'Json');
    const object = this.#typeOf(formMember(node, false));
    return `${object} | ${node.form === 'structOrBool' ? 'boolean' : this.#typeOf(formMember(node, true))}`;
  }
}

/** Whether the decoder leaves null in the member: what is always written may have nothing to write. */
function canBeNull({ node, pointer, omitEmpty, omitZero }: Field): boolean {
  const absent = pointer ? null : zeroOf(node);
  const leftOut = omitZero === true || (omitEmpty && (pointer || canBeEmpty(node)));
  return !leftOut && absent !== MADE && absent === null && !['raw', 'fields', 'json'].includes(node.kind);
}

if (import.meta.main) {
  for (const { file, text } of await objectTypes()) writeFileSync(join(ROOT, file), text);
}
