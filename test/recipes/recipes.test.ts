// The recipes of docs/testing.md, each taken out of the page and run where its tools are installed. `npx keelson` in
// them is this checkout.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { answers, run } from '../clients/commands.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'keelson-recipes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const tools = join(folder, 'tools');
mkdirSync(tools);
writeFileSync(
  join(tools, 'npx'),
  `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(root, 'bin/keelson.js')}' "$@"\n`,
);
chmodSync(join(tools, 'npx'), 0o755);
const env = { PATH: `${tools}${delimiter}${process.env['PATH']}` };

function recipe(language: string): string {
  const text = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1];
  assert.ok(text, `docs/testing.md has a recipe in ${language}`);
  return text;
}

const missing = (tool: string, ...argv: string[]) => (answers(tool, ...argv) ? false : `${tool} is not installed`);

test('Python, pytest', { skip: missing('python3', '-c', 'import pytest') }, async () => {
  const file = join(folder, 'test_recipe.py');
  const uses = `

def test_recipe(kubernetes):
    assert kubernetes["url"].startswith("https://127.0.0.1:")
    assert open(kubernetes["kubeconfig"]).read().startswith("apiVersion: v1")
`;
  writeFileSync(file, recipe('python') + uses);
  assert.match(await run('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', file], { env }), /1 passed/);
});

test('Java', { skip: missing('javac', '-version') }, async () => {
  const annotations = '@interface BeforeAll {} @interface AfterAll {}';
  const uses = `
class Recipe {
    public static void main(String[] words) throws Exception {
        ApiTest.start();
        System.out.println(ApiTest.line);
        ApiTest.stop();
        System.out.println("status " + ApiTest.process.waitFor());
    }
}`;
  writeFileSync(join(folder, 'Recipe.java'), `import java.io.*;\n${annotations}\n${recipe('java')}${uses}`);
  await run('javac', ['-d', folder, join(folder, 'Recipe.java')]);
  assert.match(await run('java', ['-cp', folder, 'Recipe'], { env }), /^\{"url":"https:.*\nstatus 0\n$/);
});

test('Rust', { skip: missing('rustc', '--version') }, async () => {
  const uses = `
fn main() {
    let (mut child, line) = start();
    println!("{}", line.trim());
    drop(child.stdin.take());
    println!("{}", child.wait().unwrap());
}
`;
  writeFileSync(join(folder, 'recipe.rs'), recipe('rust') + uses);
  const program = join(folder, 'recipe');
  await run('rustc', ['-o', program, join(folder, 'recipe.rs')]);
  assert.match(await run(program, [], { env }), /^\{"url":"https:.*\nexit status: 0\n$/);
});
