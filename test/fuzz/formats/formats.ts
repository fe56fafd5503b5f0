// The formats that are fuzzed.

import { cbor } from './cbor.ts';
import { cel } from './cel.ts';
import type { Format } from './format.ts';
import { http1 } from './http1.ts';
import { http2 } from './http2.ts';
import { json } from './json.ts';
import { patches } from './patches.ts';
import { protobuf } from './protobuf.ts';
import { schemas } from './schemas.ts';
import { yaml } from './yaml.ts';

export const formats: readonly Format[] = [json, yaml, cbor, protobuf, http1, http2, cel, patches, schemas];
