// `node scripts/quick-start-recording.ts`: runs the quick start in an empty folder and records it as
// docs/images/quick-start.svg, for the first screen of README.md. Needs kubectl on the PATH. What is printed, and when, is
// what the programs print; the folder has another name, and somebody seems to type.

import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { quickStart } from './quick-start.ts';
import { type Output, terminalRecording } from './terminal-recording.ts';

const KEY_MS = 25;
const BEFORE_COMMAND_MS = 700;
const AT_THE_END_MS = 3_000;
const SHOWN_FOLDER = '/home/ada/demo';

/** Printed by the shell after each command. */
const END = '--end of the command--';

const root = join(import.meta.dirname, '..');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'keelson-recording-')));
const shell = spawn('bash', ['--noprofile', '--norc'], {
  cwd: folder,
  env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}` },
});
const outputs: Output[] = [];
let nowMs = 0;

shell.stdin.write(`keelson() { exec node ${join(root, 'bin', 'keelson.js')} "$@"; }\n`);
for (const command of quickStart) {
  outputs.push({ atMs: nowMs, text: '$ ' });
  nowMs += BEFORE_COMMAND_MS;
  for (const key of command) outputs.push({ atMs: (nowMs += KEY_MS), text: key, typed: true });
  outputs.push({ atMs: (nowMs += KEY_MS), text: '\n' });
  await run(command);
}
outputs.push({ atMs: nowMs, text: '$ ' });
shell.stdin.end('kill %1; wait\n');
await new Promise((resolve) => shell.on('exit', resolve));
rmSync(folder, { recursive: true });

const svg = terminalRecording(outputs, {
  title: 'A Deployment on three simulated nodes becomes ready, and its pods move when a node is drained',
  ...{ columns: 112, rows: 20, lengthMs: nowMs + AT_THE_END_MS },
});
writeFileSync(join(root, 'docs', 'images', 'quick-start.svg'), svg);
console.log(`docs/images/quick-start.svg: ${svg.length} bytes, ${((nowMs + AT_THE_END_MS) / 1000).toFixed(1)} s`);

/** Runs a command and records what it prints; the server is done when it has said where its kubeconfig is. */
function run(command: string): Promise<void> {
  const startMs = performance.now();
  const beganMs = nowMs;
  const isServer = command.startsWith('keelson serve');
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      const [text = '', ended] = chunk.toString().replaceAll(folder, SHOWN_FOLDER).split(`${END}\n`);
      nowMs = beganMs + (performance.now() - startMs);
      if (text !== '') outputs.push({ atMs: nowMs, text });
      if (isServer ? !text.includes('KUBECONFIG') : ended === undefined) return;
      shell.stdout.off('data', onData);
      resolve();
    };
    shell.stdout.on('data', onData);
    shell.once('error', reject);
    shell.stdin.write(isServer ? `${command}\n` : `{ ${command}; } 2>&1; echo '${END}'\n`);
  });
}
