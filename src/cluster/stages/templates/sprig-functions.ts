// Functions of sprig, which KWOK adds to those of Go. Left out is what reads the time, the environment or the network,
// or makes keys and certificates.

import { lookup } from '../../../base/lookup.ts';
import type { TemplateFunction } from './function.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { MAP_FUNCTIONS } from './map-functions.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { PATTERN_FUNCTIONS } from './pattern-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { VALUE_FUNCTIONS } from './value-functions.ts';

export const SPRIG_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  ...TEXT_FUNCTIONS,
  ...PATTERN_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...MAP_FUNCTIONS,
  ...VALUE_FUNCTIONS,
});
