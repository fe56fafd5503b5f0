import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { namesFromNode } from './node-imports.ts';

test('the build finds the names that the source imports from Node, but not those of types', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, ...lines: string[]): string => {
    writeFileSync(join(folder, name), lines.join('\n'));
    return join(folder, name);
  };
  const files = [
    write('a.ts', "import type { Stats } from 'node:fs';", "import { join, type ParsedPath } from 'node:path';"),
    write('b.ts', 'import {', '  constants,', '  gzip as pack,', "} from 'node:zlib';", "import { z } from './z.ts';"),
    write('c.ts', "import { resolve } from 'node:path';"),
  ];
  assert.deepEqual(
    [...namesFromNode(files)],
    [
      ['node:path', new Set(['join', 'resolve'])],
      ['node:zlib', new Set(['constants', 'gzip'])],
    ],
  );
  const whole = write('d.ts', "import * as zlib from 'node:zlib';");
  assert.throws(() => namesFromNode([whole]), /imports a whole module/);
});
