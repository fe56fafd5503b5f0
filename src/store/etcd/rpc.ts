// Calls of etcd as the driver makes them: bytes to bytes, at whichever member of the cluster answers. The one
// implementation is in grpc-channel.ts; tests put their own in its place.

/** Why a call failed, in gRPC's names. */
export type RpcFailure =
  /** No member could be reached, or the connection broke while the call was under way. */
  'unavailable' | 'timeout' | 'out-of-range' | 'refused' | 'closed';

export class RpcError extends Error {
  override name = 'RpcError';
  readonly failure: RpcFailure;
  constructor(failure: RpcFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export interface CallOptions {
  /** How long the answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Fail at once, and do not try other members again and again until the time is up. */
  readonly once?: boolean;
  /** Called before the message is sent again although it may have arrived. */
  readonly onRetry?: (() => void) | undefined;
}

export interface StreamHandlers {
  readonly onMessage: (message: Uint8Array) => void;
  /** The stream has ended, for whatever reason. Called once, and not after `close`. */
  readonly onEnd: (error: RpcError) => void;
}

export interface RpcStream {
  send(message: Uint8Array): void;
  /** Lets messages wait at the member until `resume`; some that are on their way still come. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface Rpc {
  /** @param method `KV/Range`. @throws RpcError */
  call(method: string, message: Uint8Array, options: CallOptions): Promise<Uint8Array>;
  /** Opens a stream at the next member in turn. */
  stream(method: string, handlers: StreamHandlers): RpcStream;
  close(): void;
}
