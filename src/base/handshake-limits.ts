// Limits of connections before they are TLS connections. They are part of limits.ts, whose comments say what limits are for.

export const handshakeLimits = {
  /** How long a client may take for the TLS handshake. */
  tlsHandshakeTimeoutMs: 10_000,
  /** Connections that the kernel accepts ahead of the server; it may have a lower limit of its own (net.core.somaxconn). */
  acceptBacklog: 4_096,
  /** Connections whose TLS handshake has not begun, and the bytes they have sent; beyond it the oldest are closed. */
  waitingHandshakes: 4_096,
  waitingHandshakeBytes: 16 * 1024 * 1024,
  /** What one client may send before its TLS handshake begins. The longest handshake message that kube-apiserver reads. */
  clientHelloBytes: 64 * 1024,
  /** Pieces in which it is kept, beyond which they are joined. */
  clientHelloPieces: 64,
  /** TLS handshakes in progress at a time, of clients that have not kept the server waiting for `handshakeReplyMs`. */
  handshakesAtOnce: 16,
  handshakeReplyMs: 250,
  /** Rounds of the event loop in which no handshake begins because connections arrive or end, before one does. */
  handshakeNewsRounds: 16,
  /** While one has waited longer than this, the newest handshakes begin first: their clients have most time left. */
  patientHandshakeMs: 1_000,
  /** Meanwhile, how long a handshake that the server has answered waits until the server goes on with it. */
  heldConnectionMs: 10_000,
} as const;
