// Node selectors in annotations and configurations: `key=value` pairs separated by commas.

import { errors } from '../api/errors.ts';
import { labelValueFaults, qualifiedNameFaults } from '../api/names.ts';

export type NodeSelector = Readonly<Record<string, string>>;

/** @throws ApiError 500, as in Kubernetes, for a namespace with an invalid selector */
export function readNodeSelector(text: string): NodeSelector {
  if (text === '') return {};
  const selector: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const parts = pair.split('=');
    if (parts.length !== 2) throw errors.unexplained(`invalid selector: [${parts.join(' ')}]`);
    const [key, value] = parts.map((part) => part.trim()) as [string, string];
    const keyFaults = qualifiedNameFaults(key);
    if (keyFaults.length > 0) {
      throw errors.unexplained(`invalid label key ${JSON.stringify(key)}: ${keyFaults.join('; ')}`);
    }
    const valueFaults = labelValueFaults(value);
    if (valueFaults.length > 0) {
      throw errors.unexplained(`invalid label value ${JSON.stringify(value)}: ${valueFaults.join('; ')}`);
    }
    selector[key] = value;
  }
  return selector;
}
