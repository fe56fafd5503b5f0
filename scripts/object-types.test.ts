import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { objectTypes } from './object-types.ts';

const root = join(import.meta.dirname, '..', 'src/resources/builtin');

test('types of decoded objects are current; `node scripts/object-types.ts` makes them so', async () => {
  const types = await objectTypes();
  assert.ok(types.length > 40, `${types.length} files`);
  for (const { file, text } of types) assert.equal(readFileSync(join(root, file), 'utf8'), text, file);
});

test('a member has the type that the decoder leaves in it', async () => {
  const types = await objectTypes();
  const text = (file: string): string => types.find((each) => each.file === file)?.text ?? '';
  const pod = text('core/pod/objects.ts');
  assert.match(pod, /^ {2}readonly metadata: ObjectMeta;$/m);
  assert.match(pod, /^ {2}readonly hostNetwork\?: boolean;$/m);
  // Lists without omitempty are null when there is nothing in them.
  assert.match(pod, /^ {2}readonly containers\?: readonly Container\[\] \| null;$/m);
  assert.match(pod, /^ {2}readonly activeDeadlineSeconds\?: number \| bigint;$/m);
  assert.match(text('core/service/objects.ts'), /^ {2}readonly targetPort\?: number \| string;$/m);
  assert.match(
    text('apiextensions/v1-objects.ts'),
    /^export type JSONSchemaPropsOrBool = JSONSchemaProps \| boolean;$/m,
  );
});
