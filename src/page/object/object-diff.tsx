// The difference between two values as YAML.

import { Diff } from './diff.tsx';
import { toYaml } from './yaml-text.ts';

export function ObjectDiff({ label, from, to }: { label: string; from: unknown; to: unknown }) {
  return <Diff label={label} from={toYaml(from)} to={toYaml(to)} />;
}
