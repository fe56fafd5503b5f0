// Rejection of responses that switch to another protocol (101) although the request did not ask for one. Such a
// response has no end, so that neither limits nor timeouts of its body would apply.

import type { ClientRequest } from 'node:http';
import { goQuote } from '../base/go-quote.ts';

/** Closes the connection of such a response, and calls back with the error of Go's reverse proxy. */
export function rejectUnaskedUpgrade(outgoing: ClientRequest, reject: (error: Error) => void): void {
  const refuse = (protocol = '') => {
    reject(new Error(`backend tried to switch protocol ${goQuote(protocol)} when "" was requested`));
    outgoing.destroy();
  };
  outgoing.on('upgrade', (answer, socket) => {
    socket.destroy();
    refuse(answer.headers.upgrade);
  });
  // Without an Upgrade header, Node takes it for an ordinary response. The error comes before what others make of it.
  outgoing.prependListener('response', ({ statusCode }) => {
    if (statusCode === 101) refuse();
  });
}
