// How much controllers do at once, as part of `limits`.

export const controllerLimits = {
  /** Objects that a controller works on at once, so that its writes share commits. */
  controllerWorkers: 16,
  /** The same for work that takes long: deleting the objects of a definition, asking a service whether it is there. */
  slowWorkers: 4,
  /** Definitions of custom resources whose status is written at once. */
  definitionWorkers: 32,
} as const;
