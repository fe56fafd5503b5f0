// The Go packages that declare Kubernetes' API types, read by the Go program in sources/ from the modules of a release.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A declared type; a struct has fields, any other type the type that it stands for. */
export interface GoType {
  readonly markers?: readonly string[];
  readonly type?: string;
  readonly struct?: boolean;
  readonly alias?: boolean;
  readonly fields?: readonly GoField[];
  /** The constants of a named string, in the order of the sources. */
  readonly values?: readonly string[];
  readonly lifecycle?: Readonly<Record<string, string>>;
  /** It has a JSON form of its own. */
  readonly marshals?: boolean;
}

/** A field with its struct tags and the comment lines that begin with a plus sign. */
export interface GoField {
  readonly name: string;
  /** With the import path of other packages: `[]k8s.io/api/core/v1.Container`. */
  readonly type: string;
  readonly embedded?: boolean;
  readonly json?: string;
  readonly protobuf?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly markers?: readonly string[];
  /** Its comment describes nothing. */
  readonly bare?: boolean;
}

export interface GoPackage {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly markers?: readonly string[];
  readonly types: Readonly<Record<string, GoType>>;
  /** Constants that are text; `=path.Name` stands for another one. */
  readonly constants: Readonly<Record<string, string>>;
}

/** Packages by import path. */
export type GoPackages = Readonly<Record<string, GoPackage>>;

/** The packages outside k8s.io/api that declare API types. */
const FURTHER = [
  'apimachinery/pkg/apis/meta/v1',
  'apimachinery/pkg/runtime',
  'apimachinery/pkg/types',
  'apiextensions-apiserver/pkg/apis/apiextensions/v1',
  'apiextensions-apiserver/pkg/apis/apiextensions/v1beta1',
  'kube-aggregator/pkg/apis/apiregistration/v1',
  'kube-aggregator/pkg/apis/apiregistration/v1beta1',
  'apiserver/pkg/apis/audit/v1',
];

/**
 * Reads the API types of a release.
 *
 * @param version of k8s.io/kubernetes: `1.37.2`; its staging modules are `v0.37.2`
 * @throws Error if Go is missing or a module cannot be downloaded
 */
export function readGoPackages(version: string): GoPackages {
  const api = moduleFolder('api', version);
  const packages = versionFolders(api).map((folder) => `k8s.io/api/${folder}=${join(api, folder)}`);
  const further = FURTHER.map((path) => {
    const [module = '', ...rest] = path.split('/');
    return `k8s.io/${path}=${join(moduleFolder(module, version), ...rest)}`;
  });
  return JSON.parse(run('go', ['run', '.', ...packages, ...further], join(import.meta.dirname, 'sources')));
}

/** `apps/v1` and the like, below k8s.io/api. */
function versionFolders(root: string): string[] {
  const groups = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return groups.flatMap(({ name }) =>
    readdirSync(join(root, name))
      .filter((version) => /^v\d+(?:(?:alpha|beta)\d+)?$/.test(version))
      .map((version) => `${name}/${version}`),
  );
}

/** The folder of a module of Kubernetes in Go's module cache; downloads the module if it is not there. */
export function moduleFolder(module: string, version: string): string {
  const tagged = module === 'kubernetes' ? `v${version}` : `v0${version.slice(1)}`;
  const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', `k8s.io/${module}@${tagged}`])) as { Dir: string };
  return Dir;
}

/** What a program prints. @throws Error if it fails */
export function run(program: string, args: readonly string[], cwd?: string): string {
  // A new release may need a newer Go, which Go then takes from the module proxy.
  const env = { GOTOOLCHAIN: 'auto', ...process.env };
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')}: ${stderr || stdout}`);
  return stdout;
}
