// Generates the TypeScript types of built-in kinds' decoded objects next to their declarations: those of `policy/v1.ts`
// are in `policy/v1-objects.ts`, those of `core/pod/types.ts` in `core/pod/objects.ts`. The rules of kinds use typed
// fields, so that a misspelt one does not compile. `node scripts/object-types.ts` writes the files; a test checks that
// they are current.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CURRENT_MINOR, RELEASES } from '../src/lifecycle/version.ts';
import { typeInRelease } from '../src/schema/declared-struct.ts';
import { canBeEmpty, MADE, zeroOf } from '../src/schema/decode-readers.ts';
import { formMember } from '../src/schema/decode-state.ts';
import type { Field, Node, StructNode } from '../src/schema/node.ts';

const ROOT = join(import.meta.dirname, '..', 'src/resources/builtin');
/** Where the types of metadata and untyped JSON are declared. */
const OBJECT = '../../api/object.ts';
const METADATA = 'meta/v1.ObjectMeta';

/** Where a type is declared, and its name there. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

/** By the names of types, which they keep in all releases. */
type Places = ReadonlyMap<string, Place>;

/** The types declared in one file. */
export interface ObjectTypes {
  /** Below src/resources/builtin. */
  readonly file: string;
  readonly text: string;
}

/** Returns the types of all declarations, file by file. */
export async function objectTypes(): Promise<ObjectTypes[]> {
  const places = new Map<string, Place>();
  const files = new Map<string, StructNode[]>();
  for (const file of declarationFiles()) {
    const exported = (await import(join(ROOT, file))) as Record<string, unknown>;
    const declared = Object.entries(exported).filter((entry): entry is [string, StructNode] => isStruct(entry[1]));
    for (const [name, node] of declared) if (!places.has(node.name)) places.set(node.name, { file, name });
    const order = readFileSync(join(ROOT, file), 'utf8');
    files.set(
      file,
      declared
        .filter(([, node]) => places.get(node.name)?.file === file && node.name !== METADATA && !isListOfObjects(node))
        .sort(([one], [other]) => placeIn(order, one) - placeIn(order, other))
        .map(([, node]) => node),
    );
  }
  return [...files].flatMap(([file, nodes]) => (nodes.length === 0 ? [] : [fileOf(file, nodes, places)]));
}

/** Returns where the types of kinds are, by `group/version/Kind`: the file of types, and the name in it. */
export async function kindTypes(): Promise<ReadonlyMap<string, Place>> {
  const found = new Map<string, Place>();
  for (const file of declarationFiles()) {
    const exported = (await import(join(ROOT, file))) as Record<string, unknown>;
    for (const [name, node] of Object.entries(exported)) {
      if (!isStruct(node) || node.name === METADATA || isListOfObjects(node)) continue;
      for (const kind of node.kinds) if (!found.has(kind)) found.set(kind, { file: typesFile(file), name });
    }
  }
  return found;
}

/** Returns the files that declare types of served versions: the imports of types.ts, and their imports. */
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
  const local = new Set(nodes.map(({ name }) => places.get(name)?.name));
  const refer = (from: string, name: string): string => {
    if (from === own) return name;
    const known = local.has(name) ? `${name}Of${nameOfFile(from)}` : name;
    imports.set(from, (imports.get(from) ?? new Set()).add(known === name ? name : `${name} as ${known}`));
    return known;
  };
  const writer = new TypeWriter(places, refer);
  const types = nodes.map((node) => writer.declaration(node));
  const lines = [...imports]
    .map(([from, names]) => importLine(own, from, [...names].sort()))
    .sort((one, other) => comparable(one) - comparable(other) || (path(one) < path(other) ? -1 : 1));
  const head = `// Types of the decoded objects in ${file}. Generated by scripts/object-types.ts; change the declarations instead.\n`;
  return {
    file: own,
    text: `${[head, ...(lines.length === 0 ? [] : [`${lines.join('\n')}\n`]), ...types].join('\n')}`,
  };
}

/** `V1` of `admissionregistration/v1-objects.ts`. */
function nameOfFile(file: string): string {
  const [, name = ''] = /(\w+)-objects\.ts$/.exec(file) ?? [];
  return name.charAt(0).toUpperCase() + name.slice(1);
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
    const { name } = this.#places.get(node.name) as Place;
    if (node.form !== undefined) return `export type ${name} = ${this.#formed(node)};\n`;
    const members = allFields(node).map((field) => this.#member(field, node));
    return members.length === 0
      ? `export type ${name} = Readonly<Record<string, never>>;\n`
      : `export type ${name} = {\n${members.join('')}};\n`;
  }

  #member(field: Field, owner: StructNode): string {
    // Every object has metadata: the server ensures it before rules run.
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

  /** A null item decodes to its type's zero value, which is null itself for lists, maps and times. */
  #itemOf(node: Node): string {
    const type = this.#typeOf(node);
    return zeroOf(node) === null && type !== 'Json' ? `${type} | null` : type;
  }

  /** As #itemOf, but null bytes decode to empty ones. */
  #valueOf(node: Node): string {
    return node.kind === 'bytes' ? 'string' : this.#itemOf(node);
  }

  #structOf(node: StructNode): string {
    if (node.name === METADATA) return this.#refer(OBJECT, 'ObjectMeta');
    const place = this.#places.get(node.name);
    if (place === undefined) throw new Error(`${node.name} is declared, but not exported by a file of declarations`);
    return this.#refer(typesFile(place.file), place.name);
  }

  /** A struct that is not written as an object of its fields. */
  #formed(node: StructNode): string {
    if (node.form === 'raw') return this.#refer(OBJECT, 'Json');
    const object = this.#typeOf(formMember(node, false));
    return `${object} | ${node.form === 'structOrBool' ? 'boolean' : this.#typeOf(formMember(node, true))}`;
  }
}

/** The fields of a type in the release served by default, then those that it only has in others. */
function allFields(node: StructNode): Field[] {
  const fields = new Map<string, Field>();
  for (const minor of [CURRENT_MINOR, ...RELEASES.map((release) => release.minor).toReversed()]) {
    for (const [name, field] of typeInRelease(node, minor).jsonFields) if (!fields.has(name)) fields.set(name, field);
  }
  return [...fields.values()];
}

/** Whether the decoder leaves null in the field: fields without omitempty may have no value. */
function canBeNull({ node, pointer, omitEmpty, omitZero }: Field): boolean {
  const absent = pointer ? null : zeroOf(node);
  const leftOut = omitZero === true || (omitEmpty && (pointer || canBeEmpty(node)));
  return !leftOut && absent !== MADE && absent === null && !['raw', 'fields', 'json'].includes(node.kind);
}

if (import.meta.main) {
  for (const { file, text } of await objectTypes()) writeFileSync(join(ROOT, file), text);
}
