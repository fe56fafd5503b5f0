// The errors of writes that are too large, with the messages that kube-apiserver's clients receive.

import { limits } from '../base/limits.ts';
import { StoreError } from './store.ts';

/** The value is too large; nothing has been written. The message is for clients. */
export class StoreTooLargeError extends StoreError {
  override name = 'StoreTooLargeError';
}

/** etcd's message for a request that is larger than its --max-request-bytes. */
export const REQUEST_TOO_LARGE = 'etcdserver: request is too large';

/** The error of kube-apiserver's etcd client for a request that it does not send. @param bytes its size */
export function messageTooLarge(bytes: number): StoreTooLargeError {
  const allowed = limits.etcdMessageBytes;
  return new StoreTooLargeError(
    `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${allowed})`,
  );
}
