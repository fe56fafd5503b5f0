// What the console's process answers to its page, besides what the API server answers.

/** The contexts of the kubeconfig, and what the page may do: the answer to `GET /console/session`. */
export interface ConsoleSession {
  readonly contexts: readonly string[];
  readonly context: string;
  readonly server: string;
  readonly readOnly: boolean;
}

/** An open port of the process's machine that leads to one of a pod: an item of the answer to `GET /console/forwards`. */
export interface PortForward {
  readonly id: number;
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** On 127.0.0.1. */
  readonly localPort: number;
  /** Why the latest connection failed; '' if it did not. */
  readonly fault: string;
}
