// Watches and logs of the page, all over one WebSocket to the console's process. It is opened with the first one and
// reopened when it breaks.

/** Receives the events of one watch. */
interface WatchListener {
  /** Called for each event, as the server wrote it. */
  readonly onEvent: (event: { readonly type: string; readonly object: Readonly<Record<string, unknown>> }) => void;
  /** The watch has ended, normally, by a rejection or because the connection closed; it may be restarted. */
  readonly onEnd: OnEnd;
}

/** Receives the lines of one log. */
interface LineListener {
  readonly onLines: (lines: readonly string[]) => void;
  readonly onEnd: OnEnd;
}

type OnEnd = (reason: { readonly code: number; readonly message: string }) => void;

interface Message {
  readonly id: number;
  readonly status?: number;
  readonly message?: string;
  readonly lines?: string;
  readonly end?: string;
}

export class WatchConnection {
  /** Whether the server can send the initial objects in a watch (WatchList), as far as is known. */
  streamsLists = true;
  readonly #listeners = new Map<number, LineListener>();
  #socket: WebSocket | undefined;
  #next = 1;

  /**
   * Starts a watch.
   * @param path with its query, including `watch=1`
   * @returns a function that stops it; the listener is not called after that
   */
  watch(path: string, { onEvent, onEnd }: WatchListener, accept?: string): () => void {
    const onLines = (lines: readonly string[]): void => {
      for (const line of lines) onEvent(JSON.parse(line));
    };
    return this.follow(path, { onLines, onEnd }, accept);
  }

  /**
   * Starts to follow what the server sends at a path line by line.
   * @param path with its query
   * @returns a function that stops it; the listener is not called after that
   */
  follow(path: string, listener: LineListener, accept?: string): () => void {
    const id = this.#next++;
    this.#listeners.set(id, listener);
    this.#send({ start: id, path, ...(accept !== undefined && { accept }) });
    return () => {
      if (this.#listeners.delete(id)) this.#send({ stop: id });
    };
  }

  #send(command: object): void {
    const socket = this.#open();
    const text = JSON.stringify(command);
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else socket.addEventListener('open', () => socket.send(text), { once: true });
  }

  #open(): WebSocket {
    if (this.#socket !== undefined) return this.#socket;
    const socket = new WebSocket(`ws://${location.host}/console/watches`);
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', ({ reason }) => this.#lost(socket, reason || 'the connection was closed'));
    return socket;
  }

  #hear({ id, status, message, lines, end }: Message): void {
    const listener = this.#listeners.get(id);
    if (listener === undefined) return;
    if (lines !== undefined) {
      listener.onLines(lines.split('\n').filter((line) => line !== ''));
    } else if (end !== undefined || (status !== undefined && status !== 200)) {
      this.#listeners.delete(id);
      listener.onEnd({ code: status ?? 0, message: message ?? end ?? '' });
    }
  }

  #lost(socket: WebSocket, message: string): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    const lost = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of lost) listener.onEnd({ code: 0, message });
  }
}
