// Levels and stages of audit events: how much of a request is recorded, and when in its life.

/** From nothing to everything. */
export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;

export type Level = (typeof LEVELS)[number];

export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

export type Stage = (typeof STAGES)[number];
