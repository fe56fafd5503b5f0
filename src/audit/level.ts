// Levels and stages of audit events.

/** From least to most. */
export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;

export type Level = (typeof LEVELS)[number];

export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

export type Stage = (typeof STAGES)[number];
