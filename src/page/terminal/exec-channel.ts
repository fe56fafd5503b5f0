// The messages of an exec over a WebSocket: the first byte names the channel, the rest is its data.

import { at, listAt, textAt } from '../relations/members.ts';

export const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const;

type Channel = keyof typeof CHANNELS;

interface Message {
  readonly channel: Channel | undefined;
  readonly bytes: Uint8Array;
}

/** Returns a message with a text. */
export function messageTo(channel: Channel, text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  const message = new Uint8Array(bytes.length + 1);
  message[0] = CHANNELS[channel];
  message.set(bytes, 1);
  return message;
}

/** Returns the message that tells the size of the terminal. */
export function resizeMessage(columns: number, rows: number): Uint8Array<ArrayBuffer> {
  return messageTo('resize', JSON.stringify({ Width: columns, Height: rows }));
}

/** Reads a message; its channel is undefined if nobody knows it. */
export function readMessage(data: ArrayBuffer): Message {
  const bytes = new Uint8Array(data);
  const channel = (Object.keys(CHANNELS) as Channel[]).find((name) => CHANNELS[name] === bytes[0]);
  return { channel, bytes: bytes.subarray(1) };
}

/** Returns how a command ended, by the Status of its last message: `exit code 1`. */
export function endOf(bytes: Uint8Array): string {
  const status: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (textAt(status, 'status') === 'Success') return 'exit code 0';
  const causes = listAt(status, 'details', 'causes');
  const code = causes.find((cause) => at(cause, 'reason') === 'ExitCode');
  return code === undefined ? textAt(status, 'message') : `exit code ${textAt(code, 'message')}`;
}

/** Returns the words of a command, as a shell divides them: by spaces, except in quotes. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
