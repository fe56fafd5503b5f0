// Writes docs/feature-gates.md: every feature gate with its stages, and what it does here or why it does nothing.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FeatureGateName, type FeatureGateSpec, featureGateTable } from '../src/lifecycle/feature-gate-table.ts';
import { gateEffects, gateReasons } from './feature-gate-effects.ts';

const PAGE = 'docs/feature-gates.md';

/** The page's text. */
export function featureGatesPage(): string {
  const names = Object.keys(featureGateTable) as FeatureGateName[];
  const effective = names.filter((name) => gateEffects[name] !== undefined);
  const reasons = Object.entries(gateReasons).flatMap(([why, gates]) => gates.map((name) => ({ name, why })));
  reasons.sort((one, other) => (one.name < other.name ? -1 : 1));
  return `# Feature gates

\`--feature-gates\` knows every gate of Kubernetes 1.34's API server, with its stage and default in the release that is
emulated, and the rules of each stage: alpha gates are off and beta gates on unless the table says otherwise, a locked
gate cannot be set to anything but its value, and a gate that is generally available or deprecated is warned of.
Written by \`scripts/feature-gates-page.ts\`.

## Gates that change something

| gate | stages | effect |
|---|---|---|
${effective.map((name) => `| \`${name}\` | ${stages(featureGateTable[name])} | ${gateEffects[name]} |`).join('\n')}

## Gates that change nothing

They are accepted, so that command lines made for kube-apiserver start Keelson.

| gate | stages | why |
|---|---|---|
${reasons.map(({ name, why }) => `| \`${name}\` | ${stages(featureGateTable[name])} | ${why} |`).join('\n')}
`;
}

/** `ALPHA off since 1.27, BETA on since 1.32`. */
function stages(history: readonly FeatureGateSpec[]): string {
  return history
    .map(({ since, stage, default: on, locked }) => {
      const state = locked ? `locked ${on ? 'on' : 'off'}` : on ? 'on' : 'off';
      return `${stage} ${state}${since === 0 ? '' : ` since 1.${since}`}`;
    })
    .join(', ');
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', PAGE), featureGatesPage());
