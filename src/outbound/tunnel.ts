// A connection through another connection, for example to a proxy, which can be written to before that is established.

import { Duplex } from 'node:stream';
import type { Connection } from './dial.ts';

/** Methods of sockets that not every stream has. */
type SocketSettings = Omit<Connection, keyof Duplex>;

/** Opens the underlying connection. Rejects when the signal is aborted. */
type OpenTunnel = (signal: AbortSignal) => Promise<Duplex>;

/** Emits `connect` once it is established. Socket options are forwarded to an underlying socket. */
export class Tunnel extends Duplex implements Connection {
  readonly #open: OpenTunnel;
  readonly #given = new AbortController();
  #below: Duplex | undefined;

  constructor(open: OpenTunnel) {
    super({ emitClose: true });
    this.#open = open;
  }

  override _construct(callback: (error?: Error | null) => void): void {
    this.#open(this.#given.signal).then(
      (below) => {
        this.#join(below);
        callback();
        this.emit('connect');
      },
      (error: Error) => callback(error),
    );
  }

  override _read(): void {
    this.#below?.resume();
  }

  override _write(chunk: Uint8Array, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#below?.write(chunk, encoding, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#below?.end(() => callback());
  }

  // A pending connection is aborted immediately.
  override destroy(error?: Error): this {
    this.#given.abort();
    return super.destroy(error);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#below?.destroy();
    callback(error);
  }

  setKeepAlive(enable?: boolean, delayMs?: number): this {
    this.#socket()?.setKeepAlive?.(enable, delayMs);
    return this;
  }

  setNoDelay(noDelay?: boolean): this {
    this.#socket()?.setNoDelay?.(noDelay);
    return this;
  }

  setTimeout(timeoutMs: number, callback?: () => void): this {
    this.#socket()?.setTimeout?.(timeoutMs, callback);
    return this;
  }

  ref(): this {
    this.#socket()?.ref?.();
    return this;
  }

  unref(): this {
    this.#socket()?.unref?.();
    return this;
  }

  #socket(): Partial<SocketSettings> | undefined {
    return this.#below as Partial<SocketSettings> | undefined;
  }

  #join(below: Duplex): void {
    this.#below = below;
    below.on('data', (chunk: Uint8Array) => {
      if (!this.push(chunk)) below.pause();
    });
    below.on('end', () => this.push(null));
    below.on('error', (error) => this.destroy(error));
    below.on('close', () => this.destroy());
    // Nothing has been requested yet.
    below.pause();
  }
}
