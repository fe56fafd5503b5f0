// Interface for etcd calls: bytes in, bytes out, to any member of the cluster. grpc-channel.ts implements it; tests
// supply their own.

/** Why a call failed, by gRPC's names. */
export type RpcFailure =
  /** No member could be reached, or the connection broke during the call. */
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
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
  /** Fails immediately instead of retrying other members until the timeout. */
  readonly once?: boolean;
  /** Called before the message is resent although it may have arrived. */
  readonly onRetry?: (() => void) | undefined;
}

/** Called when a call begins, with the key that it concerns, if any; the returned function is called when it ends. */
export type CallObserver = (method: string, key: string | undefined) => ((isAnswered: boolean) => void) | undefined;

/** A call, and the key of the store that it concerns. */
export type StoreCall = Partial<CallOptions> & { readonly key?: string };

export interface StreamHandlers {
  readonly onMessage: (message: Uint8Array) => void;
  /** The stream has ended, for any reason. Called once, and not after `close`. */
  readonly onEnd: (error: RpcError) => void;
}

export interface RpcStream {
  send(message: Uint8Array): void;
  /** Holds messages back at the member until `resume`; some that are in flight still arrive. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface Rpc {
  /** @param method `KV/Range`. @throws RpcError */
  call(method: string, message: Uint8Array, options: CallOptions): Promise<Uint8Array>;
  /** Opens a stream to the next member in turn. */
  stream(method: string, handlers: StreamHandlers): RpcStream;
  close(): void;
}
