// Kinds whose generateName is not validated from 1.35 on, because Kubernetes validates their names by declared formats.

import { subdomainFaults } from '../api/names.ts';
import { isSince } from '../lifecycle/version.ts';

/** The rule for names of such a kind in a minor release of Kubernetes 1. */
export function uncheckedPrefix(minor: number) {
  if (!isSince({ minor }, 35)) return {};
  return { nameRule: { faults: (text: string, isPrefix: boolean) => (isPrefix ? [] : subdomainFaults(text)) } };
}
