// The recipes of docs/testing.md, each taken out of the page and run where its tools are installed. `npx keelson` in
// them, and `npx --no keelson`, is this checkout.

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
  `#!/bin/sh\n[ "$1" != --no ] || shift\nshift\nexec '${process.execPath}' '${join(root, 'bin/keelson.js')}' "$@"\n`,
);
chmodSync(join(tools, 'npx'), 0o755);
const env = { PATH: `${tools}${delimiter}${process.env['PATH']}` };

/** @param after the heading before it; '' for the first of the page */
function recipe(language: string, after = ''): string {
  const text = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page.slice(page.indexOf(after)))?.[1];
  assert.ok(text, `docs/testing.md has a recipe in ${language}`);
  return text;
}

const missing = (tool: string, ...argv: string[]) => (answers(tool, ...argv) ? false : `${tool} is not installed`);

test('the recipe for Python and pytest works', { skip: missing('python3', '-c', 'import pytest') }, async () => {
  const file = join(folder, 'test_recipe.py');
  const uses = `

def test_recipe(kubernetes):
    assert kubernetes["url"].startswith("https://127.0.0.1:")
    assert open(kubernetes["kubeconfig"]).read().startswith("apiVersion: v1")
`;
  writeFileSync(file, recipe('python') + uses);
  assert.match(await run('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', file], { env }), /1 passed/);
});

test('the recipe for Java works', { skip: missing('javac', '-version') }, async () => {
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

test('the recipe for Rust works', { skip: missing('rustc', '--version') }, async () => {
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

test('the recipe for the test API in Go works', { skip: missing('go', 'version') }, async () => {
  const place = join(folder, 'go');
  mkdirSync(place);
  writeFileSync(join(place, 'go.mod'), 'module example.test/keelson\n\ngo 1.22\n');
  writeFileSync(join(place, 'keelson.go'), recipe('go', '### Go client'));
  const uses = `package keelson

import (
	"strings"
	"testing"
)

func TestClient(t *testing.T) {
	server := Start(t, "--nodes=1")
	t.Run("rewind", func(t *testing.T) { server.RewindAfter(t) })
	if err := server.Advance("1h"); err != nil {
		t.Fatal(err)
	}
	err := server.Call("POST", "nodes/stop", map[string]string{"name": "none"}, nil)
	if err == nil || !strings.Contains(err.Error(), "node none is not simulated") {
		t.Fatal(err)
	}
}
`;
  writeFileSync(join(place, 'keelson_test.go'), uses);
  const goEnv = { ...env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOWORK: 'off' };
  assert.match(await run('go', ['test', './...'], { cwd: place, env: goEnv }), /^ok /);
});

test('the recipe for the test API in Python works', { skip: missing('python3', '-c', 'import pytest') }, async () => {
  const file = join(folder, 'test_interface.py');
  const uses = `

def test_interface(keelson):
    fault = keelson.call("POST", "faults", verb="delete", answer=503)["id"]
    keelson.advance("1h")
    assert keelson.call("GET", f"faults/{fault}") == {"id": fault, "count": 0}
    with pytest.raises(ValueError, match="not simulated|no nodes are simulated"):
        keelson.call("POST", "nodes/stop", name="none")


def test_rewound(keelson):
    with pytest.raises(ValueError, match="there is no fault 1"):
        keelson.call("GET", "faults/1")
`;
  writeFileSync(file, recipe('python', '### Python client') + uses);
  assert.match(await run('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', file], { env }), /2 passed/);
});

test('the recipe for the test API in Java works', { skip: missing('javac', '-version') }, async () => {
  const place = join(folder, 'java');
  mkdirSync(place);
  writeFileSync(join(place, 'Keelson.java'), recipe('java', '### Java client'));
  const uses = `
class Uses {
    public static void main(String[] words) throws Exception {
        try (var server = new Keelson()) {
            var snapshot = server.snapshot();
            server.advance("1h");
            server.rewind(snapshot);
            System.out.print(server.call("POST", "faults", "{\\"verb\\":\\"get\\",\\"answer\\":503}"));
            try {
                server.rewind("none");
            } catch (java.io.IOException refused) {
                System.out.print(refused.getMessage());
            }
        }
    }
}`;
  writeFileSync(join(place, 'Uses.java'), uses);
  await run('javac', ['-d', place, join(place, 'Keelson.java'), join(place, 'Uses.java')]);
  const said = await run('java', ['-cp', place, 'Uses'], { env });
  assert.equal(said, '{"id":"1"}\n{"message":"there is no snapshot none"}\n');
});

test('the recipe for the test API in Rust works', { skip: missing('rustc', '--version') }, async () => {
  const uses = `
fn main() {
    let server = Keelson::start(&[]);
    let snapshot = server.snapshot().unwrap();
    server.advance("1h").unwrap();
    server.rewind(&snapshot).unwrap();
    print!("{}", server.call("GET", "requests?verb=create", "").unwrap());
    print!("{}", server.rewind("none").unwrap_err());
}
`;
  const file = join(folder, 'interface.rs');
  writeFileSync(file, recipe('rust', '### Rust client') + uses);
  const program = join(folder, 'interface');
  await run('rustc', ['-o', program, file]);
  const said = await run(program, [], { env });
  assert.equal(said, '{"dropped":0,"requests":[]}\n{"message":"there is no snapshot none"}\n');
});

test('the recipe for the test API with curl works', { skip: missing('curl', '--version') }, async () => {
  const line = /^ {4}(curl .*KEELSON_TEST_API.*)$/m.exec(page)?.[1] ?? '';
  const words = ['keelson', 'run', '--test-api', '--', 'sh', '-c', line.replace('curl ', 'curl --silent ')];
  assert.match(await run(join(tools, 'npx'), words), /^\{"id":"1","objects":\d+\}\n$/);
});
