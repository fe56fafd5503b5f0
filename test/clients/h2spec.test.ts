// The rules of HTTP/2 and of its header compression as others wrote them down: h2spec, a program in Go, breaks each and
// sees what a bare listener makes of it.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Listening } from '../listening.ts';
import { answers, run, start } from './commands.ts';

const sources = join(import.meta.dirname, 'h2spec');
const program = 'github.com/summerwind/h2spec/cmd/h2spec';

/** Nothing cached, on two busy processors. */
const timeoutMs = 300_000;

test('the server passes all tests of h2spec', { skip: withoutH2spec(), timeout: timeoutMs }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-h2spec-'));
  try {
    const binary = join(folder, 'h2spec');
    await run('go', ['build', '-o', binary, program], { cwd: sources, env: { CGO_ENABLED: '0' }, yielding: true });
    await using server = await Listening.start({
      handler: (exchange) => {
        exchange.body(1_000_000).then(
          () => exchange.respond(200, { 'content-type': 'text/plain' }, 'an answer'),
          () => exchange.respond(400, {}, undefined),
        );
      },
    });
    const options = ['-h', '127.0.0.1', '-p', String(server.port), '-t', '-k', '--strict', '-o', '2'];
    const judging = start(binary, options);
    const status = await judging.ended;
    assert.match(judging.stdout, /^146 tests, 146 passed, 0 skipped, 0 failed$/m, complaints(judging.said));
    assert.equal(status, 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Why h2spec cannot be run here, or false. */
function withoutH2spec(): string | false {
  if (!answers('go', 'version')) return 'Go is not installed: h2spec is not run';
  const modules = 'the modules of test/clients/h2spec are not there and cannot be fetched: h2spec is not run';
  return answers('go', '-C', sources, 'list', '-deps', program) ? false : modules;
}

/** The cases that failed, which h2spec lists once more at the end. */
function complaints(said: string): string {
  const list = said.lastIndexOf('Failures:');
  return list < 0 ? said : said.slice(list);
}
