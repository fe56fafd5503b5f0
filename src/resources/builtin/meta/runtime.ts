// Types of the runtime package: an object of unknown type.

import { inline, string, struct } from '../../../schema/build.ts';

export const TypeMeta = struct('runtime.TypeMeta', () => ({
  apiVersion: string(1),
  kind: string(2),
}));

export const Unknown = struct(
  'runtime.Unknown',
  () => ({
    TypeMeta: inline(1, TypeMeta),
    ContentEncoding: string(3).always(),
    ContentType: string(4).always(),
  }),
  { form: 'raw' },
);
