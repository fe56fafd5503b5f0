// Types of the runtime package: an object of unknown type.

import { bytes, inline, string, struct } from '../../../schema/build.ts';

export const TypeMeta = struct('runtime.TypeMeta', () => ({
  apiVersion: string(1),
  kind: string(2),
}));

export const Unknown = struct(
  'runtime.Unknown',
  () => ({
    TypeMeta: inline(1, TypeMeta),
    Raw: bytes(2).required().until(26),
    ContentEncoding: string(3).required(),
    ContentType: string(4).required(),
  }),
  { form: 'raw' },
);
