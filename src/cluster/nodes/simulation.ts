// What tests can make happen on simulated nodes. What follows from it has happened when the cluster has settled.

/** How a container is to fail. */
interface Failure {
  /** 1 by default. */
  readonly exitCode?: number;
  /** All regular ones by default. */
  readonly container?: string;
  /** `Error` by default; such as `OOMKilled`. */
  readonly reason?: string;
}

/** What a test can make happen to pods. */
export interface SimulatedPods {
  /** Containers end with a failure; those that do not run yet, as soon as they do. */
  fail(namespace: string, name: string, failure?: Failure): void;
  /** All regular containers end with success. */
  succeed(namespace: string, name: string): void;
  /** The containers of a pod are ready, or not, whatever its annotations say. */
  setReady(namespace: string, name: string, isReady: boolean): void;
  /** The node evicts a pod. */
  evict(namespace: string, name: string, message?: string): void;
}

/** What a test can make happen to nodes. */
export interface SimulatedMachines {
  /** The node stops: it renews no lease and reports nothing, and nothing happens to its pods. */
  stop(name: string): void;
  /** A node that was stopped starts again, with its pods as they were. */
  start(name: string): void;
  /**
   * A condition of a node has this status from now on; MemoryPressure and the like make it evict pods.
   * @throws Error if Stages drive nodes
   */
  setCondition(name: string, type: string, status: 'True' | 'False' | 'Unknown'): void;
}

/** A request to a kubelet. */
export interface KubeletRequest {
  /** The name or address of a node. */
  readonly host: string;
  /** Path and query. */
  readonly target: string;
  /** Ends a log that is followed. */
  readonly signal: AbortSignal;
}

/** A request over HTTP to a port of a pod. */
export interface PodRequest {
  /** The address of a pod. */
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
}

/** What a command in a container, or one that is attached to, comes to. */
export interface KubeletSession {
  readonly output: string | AsyncIterable<string>;
  /** What it prints as errors; nothing by default. */
  readonly errors?: string;
  readonly exitCode: number;
}

/** What a kubelet answers. */
export interface KubeletAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | AsyncIterable<string>;
  /** Defined if streams are to be opened, instead of the rest. */
  readonly session?: KubeletSession | undefined;
  /** Defined if ports are to be forwarded, instead of the rest: what answers at a port, undefined if it is closed. */
  readonly ports?: ((port: number) => OpenPort | undefined) | undefined;
}

/** What answers requests over HTTP at an open port. */
export type OpenPort = (request: { readonly method: string; readonly target: string }) => KubeletAnswer;

/** A simulated kubelet or pod that does not answer: its node is down, or its port closed. */
export class KubeletDown extends Error {
  override name = 'KubeletDown';
}

/** Simulated nodes while they run. */
export interface Simulation {
  /**
   * The answer of a simulated kubelet; undefined if the host is no simulated node.
   * @throws KubeletDown
   */
  answer(request: KubeletRequest): KubeletAnswer | undefined;
  /**
   * The answer of a simulated pod; undefined if the host is not the address of one.
   * @throws KubeletDown if the port is closed
   */
  answerOfPod(request: PodRequest): KubeletAnswer | undefined;
  readonly pods: SimulatedPods;
  readonly nodes: SimulatedMachines;
}

/** A request to a program that a simulated cluster runs as a service: an aggregated API server. */
interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Where the simulated nodes and services of a server are found once they run. */
export class Simulated {
  current: Simulation | undefined;
  /** By address and port. */
  readonly services = new Map<string, (request: ServiceRequest) => Promise<KubeletAnswer>>();
}
