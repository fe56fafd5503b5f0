// SETTINGS frames (RFC 9113, 6.5): parsing with validation, and encoding.

import { Buffer } from 'node:buffer';
import { ConnectionError, ERROR, FRAME_BYTES, LARGEST_WINDOW_BYTES, SETTING } from './protocol.ts';

const ENTRY_BYTES = 6;
const LARGEST_FRAME_BYTES = 0xff_ffff;

/** @throws ConnectionError for invalid values */
export function readSettings(payload: Buffer): (readonly [setting: number, value: number])[] {
  if (payload.length % ENTRY_BYTES !== 0) throw new ConnectionError(ERROR.frameSize, 'SETTINGS of a wrong length');
  const settings: (readonly [number, number])[] = [];
  for (let at = 0; at < payload.length; at += ENTRY_BYTES) {
    const setting = payload.readUInt16BE(at);
    const value = payload.readUInt32BE(at + 2);
    check(setting, value);
    settings.push([setting, value]);
  }
  return settings;
}

function check(setting: number, value: number): void {
  if (setting === SETTING.enablePush && value > 1) throw new ConnectionError(ERROR.protocol, 'a wrong ENABLE_PUSH');
  if (setting === SETTING.initialWindowBytes && value > LARGEST_WINDOW_BYTES) {
    throw new ConnectionError(ERROR.flowControl, 'flow-control window exceeds 2^31-1');
  }
  if (setting === SETTING.maxFrameBytes && (value < FRAME_BYTES || value > LARGEST_FRAME_BYTES)) {
    throw new ConnectionError(ERROR.protocol, 'a wrong MAX_FRAME_SIZE');
  }
}

export function writeSettings(settings: readonly (readonly [setting: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * ENTRY_BYTES);
  settings.forEach(([setting, value], index) => {
    payload.writeUInt16BE(setting, index * ENTRY_BYTES);
    payload.writeUInt32BE(value, index * ENTRY_BYTES + 2);
  });
  return payload;
}
