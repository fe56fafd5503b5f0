import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { ConnectionError, SETTING } from './protocol.ts';
import { readSettings, writeSettings } from './settings.ts';

test('HTTP/2 settings are decoded as they were encoded, with unknown and repeated ones, in order', () => {
  const settings = [
    [SETTING.maxConcurrentStreams, 0xffff_ffff],
    [0xabcd, 7],
    [SETTING.initialWindowBytes, 2 ** 31 - 1],
    [SETTING.initialWindowBytes, 0],
    [SETTING.maxFrameBytes, 2 ** 24 - 1],
    [SETTING.enablePush, 1],
  ] as const;
  assert.deepEqual(readSettings(writeSettings(settings)), settings);
  assert.deepEqual(readSettings(Buffer.alloc(0)), []);
});

test('invalid values of HTTP/2 settings are rejected', () => {
  for (const [setting, value] of [
    [SETTING.enablePush, 2],
    [SETTING.initialWindowBytes, 2 ** 31],
    [SETTING.maxFrameBytes, 16_383],
    [SETTING.maxFrameBytes, 2 ** 24],
  ] as const) {
    assert.throws(() => readSettings(writeSettings([[setting, value]])), ConnectionError);
  }
  assert.throws(() => readSettings(Buffer.alloc(7)), ConnectionError);
});
