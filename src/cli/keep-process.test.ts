import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** The exit status of a process that waits for nothing but a pause, which keeps no process. */
function statusOf(wait: string): number | null {
  const source = `
    import { keepProcess } from ${JSON.stringify(new URL('./keep-process.ts', import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL('../server/system-clock.ts', import.meta.url).href)};
    const pause = new Promise((resolve) => systemClock.after(1, resolve));
    await ${wait};
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', source]).status;
}

test('a command that waits continues afterwards, and then the process ends', () => {
  assert.equal(statusOf('pause'), 13, 'Node ends a process that nothing keeps');
  assert.equal(statusOf('keepProcess(pause)'), 0);
});
