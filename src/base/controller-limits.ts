// Limits of controllers, as part of `limits`: what they work on at once, and how long they wait.

export const controllerLimits = {
  /** Objects that a controller works on at once, so that its writes share commits. */
  controllerWorkers: 16,
  /** The same for work that takes long: deleting the objects of a definition, asking a service whether it is there. */
  slowWorkers: 4,
  /** Definitions of custom resources whose status is written at once. */
  definitionWorkers: 32,
  /** Retry delay of a controller after a first failure; doubled after each further one. */
  controllerRetryMs: 10,
  controllerLongestRetryMs: 60_000,
  /** How long a deletion that waits for the garbage collector remains visible before it is processed. */
  collectionPauseMs: 250,
  /** Concurrent writes of one controller; they share commits. */
  controllerWrites: 64,
} as const;
