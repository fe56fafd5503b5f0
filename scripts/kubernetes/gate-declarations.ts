// The writer of src/lifecycle/feature-gate-table.ts from the table of gates.

import type { GateSpec, GateTable } from './gate-facts.ts';

/** The text of feature-gate-table.ts. */
export function gateDeclarations(table: GateTable): string {
  const gates = Object.entries(table);
  const rows = gates.map(([name, { specs }]) => `  ${name}: [${specs.map(stageText).join(', ')}],\n`);
  const spans = gates.flatMap(([name, { since, until }]) => {
    const bounds = [
      ...(since === undefined ? [] : [`since: ${since}`]),
      ...(until === undefined ? [] : [`until: ${until}`]),
    ];
    return bounds.length === 0 ? [] : [`  ${name}: { ${bounds.join(', ')} },\n`];
  });
  const needs = gates.flatMap(([name, { requires }]) =>
    requires === undefined ? [] : [`  ${name}: [${requires.map((each) => `'${each}'`).join(', ')}],\n`],
  );
  const used = new Set(rows.join('').match(/\b[a-z]\w+(?=\()/g));
  return `// The feature gates of Kubernetes' API server in all known releases: the minor version from which on each has which
// stage and default, and whether it is locked. Kubernetes has one list for all components, so gates of the kubelet and
// the scheduler are accepted here too, without effect. Written by \`npm run kubernetes\`.

import { lookup } from '../base/lookup.ts';
import { ${[...used].sort().join(', ')}, type FeatureGateSpec, type GateSpan } from './feature-gate.ts';

/** By gate, its stages from the oldest to the latest. */
export const featureGateTable = {
${rows.join('')}} as const satisfies Readonly<Record<string, readonly FeatureGateSpec[]>>;

export type FeatureGateName = keyof typeof featureGateTable;

/** The releases that know a gate, if these are not all from its first stage on. */
export const gateSpans: Readonly<Record<string, GateSpan>> = lookup({
${spans.join('')}});

/** Gates that a gate can only be enabled with, from 1.35 on. */
export const gateNeeds: Readonly<Record<string, readonly FeatureGateName[]>> = lookup<readonly FeatureGateName[]>({
${needs.join('')}});
`;
}

/** \`betaOff(33)\` */
function stageText({ since, stage, default: on, locked, minCompatibility }: GateSpec): string {
  const isUsual = on === (stage === 'BETA' || stage === 'GA');
  const isDeprecated = stage === 'DEPRECATED';
  const state = isDeprecated
    ? `${locked ? 'Locked' : ''}${on ? (locked ? '' : 'On') : 'Off'}`
    : `${locked ? 'Locked' : ''}${isUsual ? '' : on ? 'On' : 'Off'}`;
  return `${stage.toLowerCase()}${state}(${since}${minCompatibility === undefined ? '' : `, ${minCompatibility}`})`;
}
