// Limit on YAML files that commands parse into a tree with the package `yaml`, which has none.

import { byteLength } from '../base/byte-length.ts';
import { limits } from '../base/limits.ts';

/** @throws Error if the text is larger than `limits.yamlTreeBytes` */
export function assertTreeSize(text: string): void {
  const bytes = byteLength(text);
  if (bytes <= limits.yamlTreeBytes) return;
  throw new Error(`has ${bytes} bytes of YAML, and no more than ${limits.yamlTreeBytes} are read`);
}
