// The parts of typed requests, for the entry points of test frameworks.

export { type CustomResource, customResource, type Definition } from './custom-resource.ts';
export type { Fault, FaultOptions, Faults } from './faults.ts';
export type { KindName, RefusedRequest } from './kubernetes.ts';
export type { TestServer, TestServerOptions } from './test-server.ts';
