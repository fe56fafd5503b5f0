// The names that one file of declarations uses from others, and its imports.

import { dirname, relative } from 'node:path';

const BUILD = '../../schema/build.ts';

/** Where a type is declared, and its name there. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

/** The imports of one file. */
export class Scope {
  readonly #file: string;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #imports = new Map<string, Set<string>>();
  readonly #own: ReadonlySet<string>;

  constructor(file: string, places: ReadonlyMap<string, Place>) {
    this.#file = file;
    this.#places = places;
    this.#own = new Set([...places.values()].filter((place) => place.file === file).map(({ name }) => name));
  }

  /** A function of the builder. */
  build(name: string): string {
    return this.use(BUILD, name);
  }

  use(from: string, name: string): string {
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(name));
    return name;
  }

  /** The name of a type in this file. */
  type(name: string): string {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`${this.#file} needs ${name}, which has no place`);
    if (place.file === this.#file) return place.name;
    const [group = '', version = ''] = name.slice(0, name.indexOf('.', name.indexOf('/v'))).split('/');
    if (this.#own.has(place.name)) return this.#useAs(place, `${capitalized(group)}${place.name}`);
    // Two releases may use a type in two versions.
    const isTaken = [...this.#imports].some(([from, names]) => from !== place.file && names.has(place.name));
    return isTaken ? this.#useAs(place, `${capitalized(version)}${place.name}`) : this.use(place.file, place.name);
  }

  #useAs({ file, name }: Place, alias: string): string {
    this.use(file, `${name} as ${alias}`);
    return alias;
  }

  /** The imports of what a text uses. */
  imports(text: string): string {
    const used = new Set(text.match(/\b\w+\b/g));
    const rows = [...this.#imports].flatMap(([from, all]) => {
      const names = [...all].filter((name) => used.has(name.slice(name.lastIndexOf(' ') + 1))).sort();
      return names.length === 0 ? [] : [{ from: pathTo(this.#file, from), names }];
    });
    rows.sort((one, other) => depth(other.from) - depth(one.from) || (one.from < other.from ? -1 : 1));
    return rows.map(({ from, names }) => `import { ${names.join(', ')} } from '${from}';`).join('\n');
  }
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function depth(path: string): number {
  return path.match(/\.\.\//g)?.length ?? 0;
}

function pathTo(file: string, target: string): string {
  const way = relative(dirname(file), target);
  return way.startsWith('.') ? way : `./${way}`;
}
