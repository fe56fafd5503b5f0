// All limits of the server in one place: everything that is queued, cached, read or waited for. Those of expressions,
// of TLS handshakes and messages are in expression-limits.ts, handshake-limits.ts and message-limits.ts.

import { clusterLimits } from './cluster-limits.ts';
import { commandLimits } from './command-limits.ts';
import { controllerLimits } from './controller-limits.ts';
import { etcdLimits } from './etcd-limits.ts';
import { expressionLimits } from './expression-limits.ts';
import { handshakeLimits } from './handshake-limits.ts';
import { messageLimits } from './message-limits.ts';
import { threadLimits } from './thread-limits.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

export const limits = {
  /** The largest request body, in bytes; larger ones get 413. Kubernetes' value. */
  requestBodyBytes: 3 * MIB,
  /** Users whose way of impersonating others is remembered. Kubernetes' value. */
  impersonatorsRemembered: 10_000,
  /** The name of such a user, in characters; one with a longer name is not remembered. */
  rememberedNameCharacters: 256,
  /** Operations in one JSON patch. Kubernetes' value. */
  jsonPatchOperations: 10_000,
  /** Entries of updaters in metadata.managedFields; beyond it the oldest are merged. Kubernetes' value. */
  updateManagers: 10,
  /** The name of a field manager, in bytes. Kubernetes' value. */
  fieldManagerBytes: 128,
  /** What copy operations of one JSON patch may add to an object, in characters of JSON. Kubernetes' value. */
  jsonPatchCopiedCharacters: 3 * MIB,
  /** What the defaults of a schema may add to one custom object: more than can be stored. */
  defaultedCharacters: 2 * MIB,
  /**
   * Fields of one object in a body: more than fit into etcd's 1.5 MiB together with their managers. V8 enumerates the keys
   * of an object in one piece, however many there are.
   */
  objectMembers: 65_536,
  /** Characters of a value that an error about its key in a YAML text quotes. */
  quotedYamlCharacters: 10_000,
  /** Nesting depth of a decoded document. Kubernetes' value. */
  documentDepth: 10_000,
  /** Nesting depth of values with declared types, lists and maps included: only schemas within schemas reach it. */
  typedDepth: 1_000,
  /** Nesting depth of a CBOR body. Kubernetes' value. */
  cborDepth: 64,
  /** Items of an array and entries of a map in a CBOR body. Kubernetes' value. */
  cborItems: 1024,
  /** Values of duplicate members whose earlier values are validated too. */
  replacedValues: 100,
  /**
   * Comparisons with held permissions in one RBAC escalation check, and missing permissions in its message. A role that
   * needs more is refused.
   */
  comparedPermissions: 1_000_000,
  missingPermissions: 2_000,
  /** Rules of a user up to which those of a role are repeated for each of its bindings, as kube-apiserver does. */
  repeatedRules: 10_000,
  /** Errors of a rule for pairs of equal items, whose number is quadratic in the items. */
  repetitionErrors: 10_000,
  /** All field errors of one response, in characters; further ones are counted and omitted. */
  fieldErrorCharacters: 1 * MIB,
  /** Minimum size of get and list responses to be compressed. Kubernetes' value. */
  gzipFromBytes: 128 * KIB,
  /** How long a read waits for a resource version that has not been reached. Kubernetes' value. */
  freshnessWaitMs: 3_000,
  /** How often an apply looks again if its object was created and deleted meanwhile. */
  writeRetries: 5,
  /** How often an eviction is tried while others change the pod or its budget, and the delay. Kubernetes' values. */
  evictionTries: 20,
  evictionRetryMs: 500,
  /** How long the history of writes is kept for watches and older lists. etcd's default compaction interval. */
  historyMs: 5 * 60_000,
  /** Bytes of superseded objects in the history of the embedded store. */
  storeHistoryBytes: 16 * MIB,
  /**
   * How far resource versions of a restored store are above those of the backup: more than a week of 1,500 writes per
   * second, and the value in etcd's documentation for restored clusters.
   */
  restoredRevisions: 1_000_000_000,
  /** How far a copy raises etcd's revision, by one write each: hours. */
  raisedRevisions: 20_000_000,
  /** Maximum number of writes in a store's history. */
  storeHistoryEvents: 100_000,
  /** The largest request that etcd accepts by default, and so the largest stored object, whatever the store. */
  storedObjectBytes: 1.5 * MIB,
  /** How often a change of shared node ports is retried after concurrent changes. */
  sharedPortAttempts: 100,
  /** How often shared node ports are compared with the services. kube-apiserver's value. */
  portRepairMs: 180_000,
  /** How often a server renews its entries in a shared store, and looks at its Service. kube-apiserver's values. */
  endpointLeaseRenewMs: 10_000,
  identityLeaseRenewMs: 10_000,
  /** How often a server republishes its storage versions; kube-apiserver's value. */
  storageVersionRepeatMs: 600_000,
  /** Delay before publication is retried after an error. */
  storageVersionRetryMs: 1_000,
  /** The Lease for controllers that run on one server at a time. kube-controller-manager's values. */
  leaderLeaseSeconds: 15,
  leaderRenewDeadlineMs: 10_000,
  leaderRetryMs: 2_000,
  /** How many revisions back a server reads when it starts on etcd, so that earlier watches can resume. */
  etcdReplayedRevisions: 20_000,
  /** Writes waiting for the disk; further ones are rejected with 429. */
  storeQueuedWrites: 20_000,
  /** Bytes of writes waiting for the disk. */
  storeQueuedBytes: 256 * MIB,
  /** Interval of checks of the encryption configuration file, in milliseconds. */
  encryptionConfigPollMs: 60_000,
  /** How long a changed encryption configuration file must be unchanged before it is loaded. */
  encryptionConfigSettleMs: 1_000,
  /** Delay until a configuration that failed to load is retried; doubled each time up to the check interval. */
  encryptionConfigRetryMs: 5000,
  /** Cached keys and seeds that one KMS plugin has decrypted. */
  kmsOpenedSources: 10_000,
  /** Delay between attempts to write to a full disk, in milliseconds, while there are no writes. */
  storeProbeMs: 1000,
  /** Bytes of one commit on its way to the store's thread: more than the limits above permit. */
  storeMailboxBytes: 512 * MIB,
  /** Bytes of decoded objects cached for further writes. */
  decodedObjectBytes: 1 * MIB,
  /** Maximum number of events in the watch cache of one resource. */
  watchHistoryEvents: 20_000,
  /** Maximum bytes of superseded objects in the watch cache of one resource. */
  watchHistoryBytes: 64 * MIB,
  /** Cached forms of objects, of all resources: table cells, protobuf. */
  keptFormBytes: 64 * MIB,
  /** Idle time after which cached forms of a resource may be evicted, and how long others wait for that at most. */
  keptFormIdleMs: 60_000,
  keptFormRetryMs: 1_000,
  /** The latest events of one resource whose encodings are cached: watchers further behind encode again. */
  watchEncodedEvents: 1_000,
  /** Bytes of a file named by a flag of the server. */
  namedFileBytes: 64 * MIB,
  /** Bytes of a local YAML file that is parsed into a tree: manifests to migrate, files with flags. */
  yamlTreeBytes: 32 * MIB,
  /** Interval between bookmarks of a watch, delay of the first after initial events, and of the last before its end. */
  bookmarkIntervalMs: 60_000,
  firstBookmarkMs: 1_000,
  lastBookmarkBeforeEndMs: 2_000,
  /** Bytes written to one watcher that its client has not read; beyond it the watcher is served from history. */
  watcherBufferedBytes: 128 * KIB,
  /**
   * Characters of a field or label selector that are parsed at once, and before authorization at all: longer ones are
   * parsed in turns afterwards, and authorizers do not see them.
   */
  promptSelectorCharacters: 4 * KIB,
  /**
   * Requirements of selectors that a watch evaluates before others get their turn, and of one selector that is evaluated
   * while an event happens; watches with longer ones read it from history, in turns.
   */
  requirementsInStep: 16_384,
  promptRequirements: 64,
  /** Bytes of cached frames of initial events, and of joined frames, shared by watches of the same objects. */
  sharedFrameBytes: 4 * MIB,
  joinedFrameBytes: 2 * MIB,
  /** Response bytes that clients have not read, per connection and in total; beyond it the slowest are disconnected. */
  connectionUnsentBytes: 32 * MIB,
  unsentBytes: 128 * MIB,
  /** Ranges of a document per request; a request for more gets the whole document. */
  rangesOfRequest: 100,
  /** Approximate size of chunks of a list or watch response. */
  responsePieceBytes: 256 * KIB,
  /** Definitions of custom resources from which on another thread encodes their part of the OpenAPI v2 document. */
  openApiThreadFromBytes: 2 * MIB,
  /** A longer definition, whose schema cannot be encoded in slices, is encoded there in any case. */
  openApiLongDefinitionBytes: 256 * KIB,
  /** Unused buffers for sending, of each size. */
  spareBufferBytes: 4 * MIB,
  /** How long one piece of work may run before others get their turn. */
  turnMs: 2,
  /** After so many milliseconds of turns, a task lets others go first. */
  consecutiveTurnsMs: 10,
  /**
   * Rejections of one priority level per second that are sent immediately. Later ones are delayed by up to
   * `lateRefusalMs`, spread over the second half of it in `lateRefusalSteps`.
   */
  promptRefusals: 20,
  lateRefusalMs: 100,
  lateRefusalSteps: 50,
  /** Delayed rejections, of all levels. */
  waitingRefusals: 5_000,
  /** The spec of an object from this size on is copied when an update leaves it as it is. */
  copiedSpecBytes: 8 * KIB,
  /** Bodies from this size on are processed in turns. */
  slicedBodyBytes: 64 * KIB,
  /** A shorter JSON text is parsed at once, in 2 ms at most; a longer one in slices, which cost five times as much. */
  wholeJsonCharacters: 192 * KIB,
  jsonPieceCharacters: 64 * KIB,
  /** Members or items of one map that are sorted before others get their turn. */
  membersInStep: 4_096,
  /** How often a server that ends with the process that started it looks whether that is still there. */
  parentCheckMs: 500,
  /** A longer turn of the event loop is logged, with a description; and how often. */
  heldLoopMs: 50,
  heldLoopLogMs: 1_000,
  /** Characters of one text in a log entry, such as the path of a request; longer ones are cut. */
  logTextCharacters: 8 * KIB,
  /** Encoded items of a protobuf list that are kept while the rest is counted; further ones are encoded twice. */
  protobufListBytes: 4 * MIB,
  /** Page size of lists by the server's own controllers. */
  pageObjects: 500,
  /** Objects reported to a controller per turn of the event loop when it begins to watch a resource. */
  followedObjects: 32,
  /** How often controllers check whether the served resources have changed. */
  catalogPollMs: 1_000,
  /** Retry delay for a namespace blocked by its content, unless that is deleted before. */
  namespaceRecheckMs: 5_000,
  /** Expired events deleted per step. */
  expiredEvents: 500,
  /** Concurrent streams of one HTTP/2 connection. */
  streamsPerConnection: 1_000,
  /** Header bytes of a request. kube-apiserver's value. */
  headerBytes: 1 * MIB,
  /** Header fields of a request. */
  headerFields: 5_000,
  /** Media types of an Accept header that are evaluated. */
  acceptClauses: 256,
  /** Parameters of one media type: further ones are ignored in an Accept header, and malformed in a Content-Type. */
  mediaTypeParameters: 64,
  /** How long a client may take to send the head of a request. kube-apiserver's value. */
  headTimeoutMs: 32_000,
  /** How long a client may take to send the body of a request; --request-timeout covers the whole request. */
  bodyTimeoutMs: 60_000,
  /** An idle connection is closed after this time. kube-apiserver's value. */
  idleConnectionMs: 90_000,
  /** How long a client may continue to send its body after an early response. */
  lingerMs: 5_000,
  /** Bytes that an HTTP/1.1 client may send before it has the response to its previous request. */
  aheadBytes: 64 * KIB,
  /** The largest message from the client of a WebSocket watch, and its number of fragments. */
  webSocketMessageBytes: 64 * KIB,
  webSocketMessageFragments: 256,
  /** The largest message from the client of a port forwarding, exec or attach over WebSocket. */
  tunnelMessageBytes: 1 * MIB,
  /** The longest control frame of a kubelet's SPDY connection, and the longest result of an exec. */
  spdyControlBytes: 64 * KIB,
  execStatusBytes: 1 * MIB,
  /** How long a kubelet may take to reply to a new stream, and the time between two pings. Kubernetes' values. */
  streamReplyMs: 30_000,
  spdyPingMs: 5_000,
  /** How long a client may not read its response while the server drains. */
  drainStallMs: 2_000,
  /** Flow-control windows of one stream and of one HTTP/2 connection, in bytes. */
  streamWindowBytes: 1 * MIB,
  connectionWindowBytes: 16 * MIB,
  /** Unsent bytes for one HTTP/2 connection, excluding bodies; beyond it the server stops reading from it. */
  connectionBacklogBytes: 1 * MIB,
  /**
   * Frames of one connection that bring no request forward (SETTINGS, PING, WINDOW_UPDATE, empty DATA …) in a burst and
   * per second, before it is closed. Each request and each DATA frame of a response permits some more.
   */
  idleFramesBurst: 10_000,
  idleFramesPerSecond: 1_000,
  /**
   * Streams of one connection that its client may reset in a burst, and per second, before it is closed. A change of the
   * window of all streams counts for each.
   */
  streamResetsBurst: 10_000,
  streamResetsPerSecond: 1_000,
  /** Characters of a JSON Web Token that is read: the claims are parsed before its signature can be verified. */
  signedTokenCharacters: 128 * KIB,
  /** Cached credentials and their users. */
  rememberedCredentials: 1_024,
  /** Requests in flight (excluding watches) before 429. kube-apiserver's defaults: 400 reads and 200 writes. */
  readsInFlight: 400,
  writesInFlight: 200,
  /** Flows of one FlowSchema with cached queue assignments; beyond it they are computed again. */
  rememberedFlows: 1_024,
  /** Trace spans waiting to be exported; further ones are dropped. */
  queuedSpans: 2_048,
  /** Trace spans per export, and how long they wait for more. */
  spansAtOnce: 512,
  spanDelayMs: 5_000,
  /** Duration of a profile in seconds: its samples are in memory until then. */
  profileSeconds: 600,
  /** How long a request is queued at most, whatever its timeout. Kubernetes' value. */
  queueWaitMs: 60_000,
  /** Timeout for connecting to a kubelet or a proxied address. */
  backendConnectMs: 30_000,
  /** Bytes of a kubelet's error that become a message. Kubernetes' value. */
  backendErrorBytes: 50_000,
  /** Buffered part of a proxied page whose text, tag or comment does not end; beyond it links are not rewritten. */
  htmlTokenCharacters: 4 * MIB,
  /** Timeout for discovery of another API server. Kubernetes' value. */
  apiServiceDiscoveryMs: 5_000,
  /** Concurrent requests of one availability check of another API server. Kubernetes' value. */
  apiServiceProbes: 5,
  /** Interval of availability checks, and maximum delay after a failure. Kubernetes' values. */
  apiServiceProbeMs: 30_000,
  /** How often APIServices without a definition are looked at again while a definition cannot be read. */
  unreadableDefinitionsMs: 5_000,
  /** How often the documents of another API server are fetched. Kubernetes' value. */
  apiServiceRefreshMs: 60_000,
  /** Other servers on the same store that are asked what they serve. */
  peerServers: 64,
  /** After which a peer that did not respond is asked again. */
  peerRetryMs: 5_000,
  /** Maximum size of a document of another API server. */
  apiServiceDocumentBytes: 8 * MIB,
  /** Objects of another API server per page, and all watched objects of one resource. */
  remotePageObjects: 500,
  remoteFollowedObjects: 500_000,
  /** Maximum duration of a watch on another API server, and delay before the next. */
  remoteWatchSeconds: 300,
  remoteWatchPauseMs: 1_000,
  /** Retry delay for work that needs an unavailable API server. */
  remoteRetryMs: 30_000,
  /** Other API servers whose documents are fetched concurrently. */
  apiServiceReads: 4,
  /** How often the client certificate files for other API servers are checked. */
  currentFilesCheckMs: 1_000,
  /** Concurrent connections to one webhook, and idle ones that are kept. */
  webhookConnections: 100,
  webhookIdleConnections: 25,
  /** Head of a response from a kubelet, a proxied address or an aggregated API server. */
  backendHeadBytes: 1 * MIB,
  /** Idle connections to one aggregated API server. Value of Go's clients. */
  backendIdleConnections: 25,
  /** Timeout and output size of a kubeconfig's credential plugin. */
  execPluginMs: 60_000,
  execPluginBytes: 1 * MIB,
  /** Timeout of each request of `keelson migrate --server` and `keelson token`. */
  migrateRequestMs: 60_000,
  /** Connections of one console to its cluster, watches of one of its pages, and ports that it forwards. */
  consoleConnections: 64,
  consoleWatches: 48,
  consoleForwards: 32,
  /** One event that the console sends to its page, in characters. */
  consoleLineCharacters: 16 * MIB,
  /** Timeout of a conversion webhook. Kubernetes' value. */
  conversionMs: 30_000,
  /** Objects per conversion request, and their total bytes unless a single one is larger. */
  convertedObjects: 500,
  convertedBytes: 4 * MIB,
  /** Maximum size of a webhook's response: more than twice the size of any object. */
  webhookAnswerBytes: 16 * MIB,
  /** JWT issuers: size of a document, timeout (Kubernetes' value), and number of keys that are tried. */
  issuerAnswerBytes: 1 * MIB,
  issuerAnswerMs: 30_000,
  issuerKeys: 64,
  /** Timeout of calls to an external signer of service account tokens. Kubernetes' value. */
  tokenSignerMs: 60_000,
  /** Issuers of distributed claims, per JWT issuer. */
  claimIssuers: 16,
  /** How long a successful authentication by an issuer, a webhook or a secret is cached. Kubernetes' value. */
  tokenCacheMs: 10_000,
  /** How long initialization of issuers may take after a configuration change. Kubernetes' value. */
  issuerDiscoveryMs: 60_000,
  /** Timeout of authentication webhooks. Kubernetes' value. */
  accessWebhookMs: 30_000,
  /** Files in a folder of admission manifests, and their bytes together. */
  manifestFiles: 1_000,
  manifestBytes: 4 * MIB,
  /** How often files of authentication, authorization and admission are checked. */
  accessFilePollMs: 1_000,
  /** Cached responses of authentication and authorization webhooks. */
  webhookDecisions: 8_192,
  /** Evictions not yet confirmed by the disruption controller; beyond it evictions are rejected. Kubernetes' value. */
  disruptedPods: 2_000,
  /** Pods checked when a namespace enforces a stricter level, and time for that. Kubernetes' values. */
  podSecurityPods: 3_000,
  podSecurityCheckMs: 1_000,
  /** Pod specs cached as valid. */
  knownPodSpecs: 16,
  /** Members and items of a pod spec that is cached; comparing a longer one takes too long. */
  knownPodSpecMembers: 4_000,
  /** The User-Agent in audit events. Kubernetes' value. */
  auditUserAgentBytes: 1_024,
  /** Characters of queued audit events; beyond it they are dropped and reported. */
  auditQueuedCharacters: 128 * MIB,
  /** What is written to an audit log in one turn, and how long that may take before another thread takes over. */
  auditWriteBytes: 256 * KIB,
  auditWriteMs: 5,
  /** Concurrent batches of audit events sent to the webhook. */
  auditWebhookCalls: 32,
  /** Timeout of the audit webhook. Kubernetes' value. */
  auditWebhookMs: 30_000,
  /** How long queued audit events may take to be stored during shutdown. */
  auditFlushMs: 10_000,
  /** Cached field sets by shape, per type, and members of a value that is cached. */
  fieldShapes: 8,
  fieldShapeMembers: 1_000,
  /** Series of one metric, distinguished by their labels; beyond it they share one. */
  metricSeries: 10_000,
  /** Buckets of a native histogram; beyond it they become wider. */
  nativeHistogramBuckets: 160,
  ...etcdLimits,
  ...expressionLimits,
  ...messageLimits,
  ...clusterLimits,
  ...controllerLimits,
  ...handshakeLimits,
  ...threadLimits,
  ...commandLimits,
  /** Maximum bytes of waiting writes in one commit. */
  commitBytes: 8 * MIB,
  /** Bytes of writes that start a commit before the turn of the event loop ends. */
  earlyCommitBytes: 64 * KIB,
  /** Rows per reply of the store's thread. */
  storeReplyRows: 200,
  /** How long requests in flight may take to finish during shutdown. */
  drainMs: 60_000,
  /** Timeout of a component probe (componentstatuses). */
  componentProbeMs: 20_000,
  /** Concurrent deletions of one deletecollection; they share commits. */
  deletionsAtOnce: 64,
  /** Page size of a deletecollection, as in kube-apiserver. */
  deletionPage: 10_000,
  /** Test servers: recorded requests, versions of objects, active faults; over HTTP, snapshots and bytes of a body. */
  testRequests: 10_000,
  testVersions: 20_000,
  testFaults: 1_000,
  testSnapshots: 1_000,
  testApiBodyBytes: 1 * MIB,
} as const;
