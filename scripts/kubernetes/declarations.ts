// The writer of the declarations of built-in types from the table of facts. Types stay in the files and in the order in
// which they are; a new one is placed after the type that needs it, in a file of its group and version.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CURRENT_MINOR } from '../../src/lifecycle/version.ts';
import type { StructNode } from '../../src/schema/node.ts';
import { type Place, Scope } from './declaration-scope.ts';
import { fieldText, quote, SCALARS, spanFacts, unionText } from './declared-field.ts';
import { TYPES } from './overrides.ts';
import { packageOf, type TableType, type TypeTable } from './table.ts';

/** The oldest minor release all of whose kinds are declared. */
const FIRST_COMPLETE = 29;
const DECLARED = /^(?:export )?const (\w+) = (struct|object|objectList)\(\s*'?([\w/.]+)'?/gm;

/** A file with declarations: below src/resources/builtin. */
export interface DeclarationFile {
  readonly file: string;
  readonly text: string;
}

/** The declarations of all files below `root`, which has the present ones. */
export function declarations(root: string, table: TypeTable): DeclarationFile[] {
  return new Writer(root, table).files();
}

/** Writes declarations that differ from what is there. */
export function writeDeclarations(root: string, files: readonly DeclarationFile[]): void {
  for (const { file, text } of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

class Writer {
  readonly #root: string;
  readonly #table: TypeTable;
  /** Where each type is declared, by its name in the table. */
  readonly #places = new Map<string, Place>();
  readonly #order = new Map<string, string[]>();
  readonly #heads = new Map<string, string>();

  constructor(root: string, table: TypeTable) {
    this.#root = root;
    this.#table = table;
    for (const file of sources(root)) this.#read(file);
    for (const name of Object.keys(table)) if (this.#isNeeded(name)) this.#place(name, undefined);
    // New fields may refer to types that are no kinds.
    for (const file of [...this.#order.keys()]) {
      for (const name of [...(this.#order.get(file) ?? [])]) this.#placeReferences(name);
    }
  }

  files(): DeclarationFile[] {
    return [...this.#order].map(([file, names]) => ({ file, text: this.#file(file, names) }));
  }

  #read(file: string): void {
    const text = readFileSync(join(this.#root, file), 'utf8');
    const local = new Map<string, string>();
    const names: string[] = [];
    for (const [, name = '', how, argument = ''] of text.matchAll(DECLARED)) {
      const full = how === 'objectList' ? `${local.get(argument)}List` : argument;
      local.set(name, full);
      if (!(full in this.#table)) throw new Error(`${file}: ${full} is not in the table`);
      this.#places.set(full, { file, name });
      names.push(full);
    }
    if (names.length === 0) return;
    this.#order.set(file, names);
    this.#heads.set(file, /^(?:\/\/.*\n)+/.exec(text)?.[0] ?? '');
  }

  /** A kind of a release that is served, although the one that is served by default lacks it. */
  #isNeeded(name: string): boolean {
    const type = this.#table[name] as TableType;
    if (!type.spans.some(({ kind }) => kind !== undefined) || /^(?:meta\/|imagepolicy\/)/.test(name)) return false;
    return type.spans.some(
      ({ since = 0, until }) => since > CURRENT_MINOR || (until !== undefined && until >= FIRST_COMPLETE),
    );
  }

  #place(name: string, after: string | undefined): void {
    if (this.#places.has(name) || !(name in this.#table)) return;
    const own = packageOf(name);
    const above = after === undefined ? undefined : this.#places.get(after);
    const isNeighbour = after !== undefined && packageOf(after) === own;
    const file = isNeighbour && above !== undefined ? above.file : `${own}.ts`;
    const names = this.#order.get(file) ?? [];
    if (names.length === 0 && own !== 'core/v1') {
      const group =
        Object.values(this.#table[name]?.spans ?? {})[0]
          ?.kind?.split('/')
          .slice(0, -1)
          .join('/') ?? own;
      this.#heads.set(file, `// Types of ${group}.\n`);
    }
    this.#places.set(name, { file, name: name.slice(name.indexOf('.', name.indexOf('/v')) + 1) });
    names.splice(isNeighbour ? names.indexOf(after) + 1 : names.length, 0, name);
    this.#order.set(file, names);
    this.#placeReferences(name);
  }

  #placeReferences(name: string): void {
    for (const spans of Object.values(this.#table[name]?.fields ?? {})) {
      for (const { type } of spans) {
        const target = type.replace(/^(?:\[\]|map\[string\])+/, '');
        if (!SCALARS.test(target)) this.#place(target, name);
      }
    }
  }

  #file(file: string, names: readonly string[]): string {
    const scope = new Scope(file, this.#places);
    const text = names.map((name) => this.#declaration(name, scope)).join('\n');
    return `${this.#heads.get(file)}\n${scope.imports(text)}\n\n${text}`;
  }

  #declaration(name: string, scope: Scope): string {
    const { spans, fields } = this.#table[name] as TableType;
    const { name: local } = this.#places.get(name) as Place;
    const { kind: found, mapType, union } = spans.at(-1) ?? {};
    const { kinds, from, form } = TYPES[name] ?? {};
    if (from !== undefined) scope.use(from[1], from[0]);
    const span = spanFacts(spans);
    const kind = kinds === undefined ? found : undefined;
    const rows = Object.entries(fields).map(
      ([field, of]) => [field, fieldText({ name: `${name}.${field}`, spans: of, own: spans }, scope)] as const,
    );
    const [groupVersion = ''] = /^.*(?=\/)/.exec(kind ?? '') ?? [];
    const isPlain = mapType === undefined && union === undefined && form === undefined && kind?.endsWith(`/${local}`);
    const [first, second, third] = rows.map(([field, text]) => `${field}: ${text}`);
    if (isPlain && first === 'TypeMeta: inline(0, TypeMeta)') {
      const item = local.replace(/List$/, '');
      const isList = rows.length === 3 && third === `items: list(2, ${item}).required()`;
      if (isList && second === 'metadata: embedded(1, ListMeta)') {
        return `export const ${local} = ${scope.use('meta/object.ts', 'objectList')}(${item});\n`;
      }
      if (second === 'metadata: embedded(1, ObjectMeta)') {
        const body = block(rows.slice(2));
        const tail = span === '' ? '' : `, { ${span} }`;
        return `export const ${local} = ${scope.use('meta/object.ts', 'object')}('${name}', '${groupVersion}', ${body}${tail});\n`;
      }
    }
    const facts = [
      ...(kinds ? [`kinds: ${kinds}`] : kind === undefined ? [] : [`kinds: ['${kind}']`]),
      ...(kind === undefined || span === '' ? [] : [span]),
      ...(mapType === undefined ? [] : [`mapType: '${mapType}'`, ...sinceOf(spans, mapType)]),
      ...(union === undefined ? [] : [`unions: ${unionText(union)}`]),
      ...(form === undefined ? [] : [`form: '${form}'`]),
    ];
    const tail = facts.length === 0 ? '' : `, { ${facts.join(', ')} }`;
    return `export const ${local} = ${scope.build('struct')}('${name}', ${block(rows)}${tail});\n`;
  }
}

/** From which release on a struct has its map type, if not in all that have the struct. */
function sinceOf(spans: TableType['spans'], mapType: string): string[] {
  const first = spans.findIndex((span) => span.mapType === mapType);
  return first > 0 ? [`mapTypeSince: ${spans[first]?.since}`] : [];
}

function block(rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '() => ({})';
  const name = (field: string) => (/^[A-Za-z_$][\w$]*$/.test(field) ? field : quote(field));
  return `() => ({\n${rows.map(([field, text]) => `  ${name(field)}: ${text},\n`).join('')}})`;
}

/** The types that the files below `root` declare. @internal */
export async function declaredTypes(root: string): Promise<StructNode[]> {
  const modules = await Promise.all(sources(root).map((file) => import(join(root, file))));
  const exported = modules.flatMap((each) => Object.values(each as Record<string, unknown>));
  return exported.filter((each): each is StructNode => (each as { kind?: unknown } | null)?.kind === 'struct');
}

/** The files that declare types. */
function sources(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('objects.ts'))
    .filter((file) => /= (?:struct|object|objectList)\(/.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}
