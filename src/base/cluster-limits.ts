// The limits of a cluster that lives (simulated nodes, controllers, the scheduler), as part of `limits`.

export const clusterLimits = {
  /** Simulated nodes of one server. */
  simulatedNodes: 5_000,
  /** Images that a simulated node remembers. */
  imagesOfNode: 1_000,
  /** Events of a component that wait to be written, beyond which they are dropped. client-go's value. */
  waitingEvents: 1_000,
  /** Events and objects that a component remembers, to count repetitions. client-go's value. */
  rememberedEvents: 4_096,
  /** Selectors of pods for which the scheduler keeps counts by node. */
  spreadSelectors: 64,
  /** Pods whose bindings, conditions or preemptions the scheduler writes concurrently; they share commits. */
  schedulerWrites: 64,
  /** Expressions of device selectors that the scheduler keeps compiled. */
  deviceSelectors: 256,
  /** Connections to ports of simulated pods that one client forwards at the same time. */
  forwardedConnections: 100,
  /** Devices that the scheduler tries for the claims of one pod on one node. */
  deviceTrials: 10_000,
  /** Characters of a jq expression of a Stage. */
  jqCharacters: 4_096,
  /** Nesting depth of a jq expression. */
  jqDepth: 64,
  /** Characters of a template of a Stage. */
  templateCharacters: 65_536,
  /** Characters of the text that a template makes. */
  templateResultCharacters: 131_072,
  /** Nesting depth of a template, of its expressions and of its calls of other templates. */
  templateDepth: 64,
  /** Steps of the expressions that are evaluated for one object, and of its templates: about two milliseconds. */
  stageSteps: 20_000,
  /** Nesting depth of values that expressions and templates of Stages go through; no object has as many levels. */
  stageValueDepth: 200,
  /** Stages that are followed, in the order of their names; beyond them, others are reported and left alone. */
  stages: 1_000,
  /** Stages that are played for one object within a second. */
  stageBurst: 100,
} as const;
