// Flags by which the kube-apiserver of an envtest environment does more than one: controllers of kube-controller-manager
// and simulated nodes, which are off unless they are asked for.

import { UsageError } from '../failure.ts';
import { parseServeFlags } from '../flags.ts';

/** For parseArgs. */
export const serverFlagOptions = { controllers: { type: 'string' }, nodes: { type: 'string' } } as const;

/** Their help. */
export const serverFlagHelp = {
  controllers: `Controllers of kube-controller-manager that run too, separated by commas, such as
namespace-controller,garbage-collector-controller; '*' for all.`,
  nodes: 'Simulated nodes, with a scheduler and all controllers: see docs/cluster.md.',
} as const;

interface GivenServerFlags {
  readonly minor?: number | undefined;
  readonly controllers?: string | undefined;
  readonly nodes?: string | undefined;
}

/** The arguments of the kube-apiserver. @throws UsageError */
export function serverFlags({ minor, controllers, nodes }: GivenServerFlags): string[] {
  const flags = [
    ...(minor === undefined ? [] : [`--kubernetes-version=1.${minor}`]),
    ...(nodes === undefined ? [] : [`--nodes=${nodes}`]),
    // Besides the API server's own, which are not for choice.
    ...(controllers === undefined ? [] : [`--controllers=-*,${controllers}`]),
  ];
  const parsed = parseServeFlags(flags);
  if ('error' in parsed) throw new UsageError(parsed.error);
  return flags;
}
