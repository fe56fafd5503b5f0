// Packages that only some flags need: they are no dependencies of Keelson, and whoever sets such a flag installs them.

import { ConfigurationError } from './configuration-file.ts';

/** The package for gRPC, which reaches etcd, KMS plugins, external token signers and proxies. */
export const GRPC_PACKAGES: readonly string[] = ['@grpc/grpc-js@^1.14.7'];

/** The packages for traces. */
export const TRACE_PACKAGES: readonly string[] = [
  ...GRPC_PACKAGES,
  '@opentelemetry/api@^1.10.0',
  '@opentelemetry/exporter-trace-otlp-grpc@^0.301.0',
  '@opentelemetry/resources@^3.1.0',
  '@opentelemetry/sdk-trace@^3.1.0',
];

/** What asks for packages: `--etcd-servers`. */
interface PackageNeed {
  readonly flag: string;
  /** `name@versions`, with the versions that are known to work. */
  readonly packages: readonly string[];
}

/**
 * Loads a part of the server that imports such packages.
 * @throws ConfigurationError saying what to install, if one of them is missing
 */
export async function withPackages<T>({ flag, packages }: PackageNeed, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(packages, error as Error)) throw error;
    const wanted = packages.map((each) => `"${each}"`).join(' ');
    const problem = `${flag} needs packages that are not installed with Keelson: npm install ${wanted}`;
    throw new ConfigurationError(problem, { cause: error });
  }
}

/** The beginnings of Node's messages: `import` in the source looks for a package, `require` in the build for a module. */
const NOT_FOUND = ["Cannot find package '", "Cannot find module '"];

function isMissing(packages: readonly string[], { message }: Error): boolean {
  const names = packages.map((each) => each.slice(0, each.lastIndexOf('@')));
  return names.some((name) => NOT_FOUND.some((start) => message.startsWith(`${start}${name}'`)));
}
