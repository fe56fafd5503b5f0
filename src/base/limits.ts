// Every bound of the server in one place: what is queued, cached, read or waited for has its limit here.

const KIB = 1024;
const MIB = 1024 * KIB;

export const limits = {
  /** The largest body of a request, in bytes; one more is answered 413. Kubernetes' own number. */
  requestBodyBytes: 3 * MIB,
  /** Operations in one JSON patch. Kubernetes' own number. */
  jsonPatchOperations: 10_000,
  /** Entries of updaters in metadata.managedFields; past it the oldest become one. Kubernetes' own number. */
  updateManagers: 10,
  /** The name of a field manager, in bytes. Kubernetes' own number. */
  fieldManagerBytes: 128,
  /** What the copy operations of one JSON patch may add to an object, in characters of JSON. Kubernetes' own number. */
  jsonPatchCopiedCharacters: 3 * MIB,
  /** How deep a decoded document may nest. Kubernetes' own number. */
  documentDepth: 10_000,
  /** How deep values of declared types may nest, lists and maps counted: only schemas in schemas can get there. */
  typedDepth: 1_000,
  /** How deep a body in CBOR may nest. Kubernetes' own number. */
  cborDepth: 64,
  /** Items of an array and members of a map in a body in CBOR. Kubernetes' own number. */
  cborItems: 1024,
  /** Strict decoding errors that are collected and reported. Kubernetes' own number. */
  strictErrors: 100,
  /** Values of members that stand twice in a body, of which the first ones are looked at, too. */
  replacedValues: 100,
  /** All Warning headers of one answer, in characters, before each is cut to `warningCharacters`. Kubernetes' own. */
  warningsTotalCharacters: 4096,
  warningCharacters: 256,
  /** Errors that a rule makes of pairs of equal items, whose number grows with the square of the items. */
  repetitionErrors: 10_000,
  /** All field errors of one answer, in characters; those that come after are counted and left out. */
  fieldErrorCharacters: 1 * MIB,
  /**
   * Bodies of get and list answers from this size on are compressed for those who accept it. Kubernetes' own
   * number.
   */
  gzipFromBytes: 128 * KIB,
  /** How long a read waits for a resource version that is not there yet. Kubernetes' own number. */
  freshnessWaitMs: 3_000,
  /** How often a write is tried again when the object changed under it. Kubernetes' own number for patches is 5. */
  writeRetries: 5,
  /** How long the history of writes is kept for watches and older lists. etcd's default compaction. */
  historyMs: 5 * 60_000,
  /** The bytes of superseded objects that the embedded store keeps as history. */
  storeHistoryBytes: 16 * MIB,
  /**
   * How far resource versions of a restored store are above those of the backup: more than a week of 1,500 writes a
   * second, and what etcd's documentation has for a restored etcd.
   */
  restoredRevisions: 1_000_000_000,
  /** How far a copy raises the revisions of etcd, a write for each: hours. */
  raisedRevisions: 20_000_000,
  /** The writes that a store keeps as history, at the most. */
  storeHistoryEvents: 100_000,
  /** How long etcd may take to answer. kube-apiserver's time for a whole request. */
  etcdCallMs: 34_000,
  /** How long a start waits for etcd. */
  etcdStartMs: 20_000,
  /** Keys that one answer of etcd has at the most. */
  etcdPageKeys: 500,
  /** How often a change of the node ports that servers share is tried again when others changed them meanwhile. */
  sharedPortAttempts: 100,
  /** How often a server that shares its store says that it is there. kube-apiserver's numbers. */
  endpointLeaseRenewMs: 10_000,
  identityLeaseRenewMs: 10_000,
  /** How often a server tells anew in which versions it stores what; kube-apiserver's number. */
  storageVersionRepeatMs: 600_000,
  /** When it tries again what it could not tell. */
  storageVersionRetryMs: 1_000,
  /** The Lease of those controllers that run on one server at a time. kube-controller-manager's numbers. */
  leaderLeaseSeconds: 15,
  leaderRenewDeadlineMs: 10_000,
  leaderRetryMs: 2_000,
  /** How many revisions back a server that starts on etcd reads, so that watches from before go on. */
  etcdReplayedRevisions: 20_000,
  /** Writes that may wait for the disk at once; one more is refused with 429. */
  storeQueuedWrites: 20_000,
  /** Bytes of writes that may wait for the disk at once. */
  storeQueuedBytes: 256 * MIB,
  /** Time between looks at the file of the encryption configuration, in milliseconds. */
  encryptionConfigPollMs: 60_000,
  /** Time that must pass without another change before a changed file of the encryption configuration is loaded. */
  encryptionConfigSettleMs: 1_000,
  /** Time until a configuration that could not be loaded is tried again; doubled each time up to that of the looks. */
  encryptionConfigRetryMs: 5000,
  /** Keys and seeds, opened by one KMS plugin, that are kept. */
  kmsOpenedSources: 10_000,
  /** Time between attempts to write to a disk that was full, in milliseconds, while nobody writes. */
  storeProbeMs: 1000,
  /** Bytes that one commit may take on its way to the store's thread: more than any that the bounds above allow. */
  storeMailboxBytes: 512 * MIB,
  /** Bytes of the objects that writes keep decoded, because they are likely to be written again. */
  decodedObjectBytes: 1 * MIB,
  /** Events that the watch cache of one resource remembers, at the most. */
  watchHistoryEvents: 20_000,
  /** Bytes of superseded objects that the watch cache of one resource remembers, at the most. */
  watchHistoryBytes: 64 * MIB,
  /** Forms of objects that are kept beside their bytes, of all resources: cells of rows, protobuf. */
  keptFormBytes: 64 * MIB,
  /**
   * How long forms of a resource are not asked for until they give way, and how long others wait for that at the
   * most.
   */
  keptFormIdleMs: 60_000,
  keptFormRetryMs: 1_000,
  /** The newest events of one resource whose encodings are kept: watchers further behind make them again. */
  watchEncodedEvents: 1_000,
  /** Bytes of a local YAML file that is read into a tree: manifests to migrate, files of flags. */
  yamlTreeBytes: 32 * MIB,
  /** Time between bookmarks of a watch, to the first after initial events, and before its end for the last one. */
  bookmarkIntervalMs: 60_000,
  firstBookmarkMs: 1_000,
  lastBookmarkBeforeEndMs: 2_000,
  /** Bytes written to one watcher that its client has not taken; past it the watcher lags and is fed from history. */
  watcherBufferedBytes: 128 * KIB,
  /** Bytes of frames of initial events, and of joined frames, that watches of the same objects share. */
  sharedFrameBytes: 4 * MIB,
  joinedFrameBytes: 2 * MIB,
  /** Bytes of answers that clients have not taken, on one connection and on all; past it the slowest are cut off. */
  connectionUnsentBytes: 32 * MIB,
  unsentBytes: 128 * MIB,
  /** A list or watch response is written in pieces of about this size. */
  responsePieceBytes: 256 * KIB,
  /** How long one piece of work may keep others waiting before they have their turn. */
  turnMs: 2,
  /** Refusals of one priority level within a second that are told at once; later ones are told after `lateRefusalMs`. */
  promptRefusals: 200,
  lateRefusalMs: 100,
  /** Refusals that wait to be told, of all levels. */
  waitingRefusals: 5_000,
  /** A JSON text shorter than this is read at once, a longer one in pieces of about so much work. */
  wholeJsonCharacters: 64 * KIB,
  jsonPieceCharacters: 64 * KIB,
  /** Members or items of one map that are put in their places before others have their turn. */
  membersInStep: 4_096,
  /** A turn of the event loop that is longer than this is logged, with what it was spent on; and how often. */
  heldLoopMs: 50,
  heldLoopLogMs: 1_000,
  /** Encoded items of one list in protobuf that are kept while the rest is counted; what is more is encoded twice. */
  protobufListBytes: 4 * MIB,
  /** A list's pages are cut to this many objects by the server's own controllers. */
  pageObjects: 500,
  /** Objects that a controller is told of in one turn of the event loop when it begins to follow a resource. */
  followedObjects: 32,
  /** How long a controller waits after a first failure; twice as long after each further one. */
  controllerRetryMs: 10,
  controllerLongestRetryMs: 60_000,
  /** How long the garbage collector lets a deletion stand that waits for it, before it takes it up. */
  collectionPauseMs: 250,
  /** How often controllers see whether other resources are served than before. */
  catalogPollMs: 1_000,
  /** Objects that one controller writes at once; they share commits. */
  controllerWrites: 64,
  /** How long a namespace waits that is held by its content, unless that goes before. */
  namespaceRecheckMs: 5_000,
  /** Expired events that are removed in one step. */
  expiredEvents: 500,
  /** Streams that one HTTP/2 connection may have open. */
  streamsPerConnection: 1_000,
  /** Header bytes of one request. */
  headerBytes: 64 * KIB,
  /** Header fields of one request. */
  headerFields: 200,
  /** Media types of one Accept header that are looked at. */
  acceptClauses: 256,
  /** How long a client may take to send the head of a request. */
  headTimeoutMs: 10_000,
  /** How long a client may take to send the body of a request; the whole request has --request-timeout. */
  bodyTimeoutMs: 60_000,
  /** How long a client may take for the TLS handshake. */
  tlsHandshakeTimeoutMs: 10_000,
  /** A connection without a request is closed after this time. kube-apiserver's own number. */
  idleConnectionMs: 90_000,
  /** How long a client that was answered before it had sent its whole body may go on sending it. */
  lingerMs: 5_000,
  /** Requests that the client of an HTTP/1.1 connection may send ahead of their turn; with one more it is cut off. */
  pipelinedRequests: 100,
  /** The largest message that the client of a watch over a web socket may send, and in how many parts. */
  webSocketMessageBytes: 64 * KIB,
  webSocketMessageFragments: 256,
  /** How long a client that lets an answer wait may take nothing of it while the server drains. */
  drainStallMs: 2_000,
  /** Bytes that a client may send ahead of our reading, on one stream and on one HTTP/2 connection. */
  streamWindowBytes: 1 * MIB,
  connectionWindowBytes: 16 * MIB,
  /** Bytes that wait for the client of one HTTP/2 connection, bodies apart; past it no more is read from it. */
  connectionBacklogBytes: 1 * MIB,
  /** Streams of one connection that its client may reset in a burst, and then each second, before it is cut. */
  streamResetsBurst: 10_000,
  streamResetsPerSecond: 1_000,
  /** Credentials whose user is remembered, so that they need not be read again. */
  rememberedCredentials: 1_024,
  /** Requests in flight (not counting watches) before 429. kube-apiserver's defaults: 400 reads and 200 writes. */
  readsInFlight: 400,
  writesInFlight: 200,
  /** Flows of one flow schema whose queues are remembered; past it they are dealt again. */
  rememberedFlows: 1_024,
  /** Spans of traces that wait to be sent; more are dropped. */
  queuedSpans: 2_048,
  /** Spans that are sent at once, and how long they wait for others. */
  spansAtOnce: 512,
  spanDelayMs: 5_000,
  /** How long a profile of the process may take, in seconds: what it samples is kept until then. */
  profileSeconds: 600,
  /** How long a request waits for its turn at the most, whatever time it is allowed. Kubernetes' own number. */
  queueWaitMs: 60_000,
  /** How long a kubelet, or what stands behind a proxied address, may take to let us connect. */
  backendConnectMs: 30_000,
  /** What is read of a kubelet's refusal to make a message of. Kubernetes' own number. */
  backendErrorBytes: 50_000,
  /** What is kept of a proxied page whose text, tag or comment does not end; past it links stay as they are. */
  htmlTokenCharacters: 4 * MIB,
  /** How long another API server may take to say what it serves. Kubernetes' own number. */
  apiServiceDiscoveryMs: 5_000,
  /** Requests at once by which it is found whether another API server answers. Kubernetes' own number. */
  apiServiceProbes: 5,
  /** How often that is found, and how long it waits at the most after a failure. Kubernetes' own numbers. */
  apiServiceProbeMs: 30_000,
  /** How often the documents of another API server are read again. Kubernetes' own number. */
  apiServiceRefreshMs: 60_000,
  /** What is read of a document of another API server. */
  apiServiceDocumentBytes: 8 * MIB,
  /** Objects of another API server in one answer, and all of one resource that are followed. */
  remotePageObjects: 500,
  remoteFollowedObjects: 500_000,
  /** How long one watch of them may last, and how long it waits for the next. */
  remoteWatchSeconds: 300,
  remoteWatchPauseMs: 1_000,
  /** How long what concerns another API server waits that could not be asked. */
  remoteRetryMs: 30_000,
  /** Other API servers whose documents are read at once. */
  apiServiceReads: 4,
  /** How often the files of the certificate for other API servers are looked at. */
  proxyCertificateCheckMs: 1_000,
  /** Connections to one webhook at once, and of all of them those that are kept while nothing is asked. */
  webhookConnections: 100,
  webhookIdleConnections: 25,
  /** Connections to one aggregated API server that are kept while nothing is asked. Of Go's clients. */
  backendIdleConnections: 25,
  /** How long a credential plugin of a kubeconfig may run, and what it may print. */
  execPluginMs: 60_000,
  execPluginBytes: 1 * MIB,
  /** How long `keelson migrate --server` waits for one answer of its cluster. */
  migrateRequestMs: 60_000,
  /** Connections of one console to its cluster, and watches of one of its pages. */
  consoleConnections: 64,
  consoleWatches: 48,
  /** One event that the console hands to its page, in characters. */
  consoleLineCharacters: 16 * MIB,
  /** How long a webhook may take to convert objects. Kubernetes' own number. */
  conversionMs: 30_000,
  /**
   * Objects that a webhook is given to convert at once, and what they may come to in bytes unless one alone is
   * more.
   */
  convertedObjects: 500,
  convertedBytes: 4 * MIB,
  /** What is read of a webhook's answer: more than any object comes to, twice over. */
  webhookAnswerBytes: 16 * MIB,
  /** Of an issuer of tokens: its documents, the time for one (Kubernetes' own number), and the keys that are tried. */
  issuerAnswerBytes: 1 * MIB,
  issuerAnswerMs: 30_000,
  issuerKeys: 64,
  /** How long a program that signs service account tokens may take for a call. Kubernetes' own number. */
  tokenSignerMs: 60_000,
  /** Issuers of distributed claims, of each issuer of tokens. */
  claimIssuers: 16,
  /** How long a token that an issuer, a webhook or a secret vouched for is trusted unasked. Kubernetes' own number. */
  tokenCacheMs: 10_000,
  /** How long issuers of a changed configuration may take to be found. Kubernetes' own number. */
  issuerDiscoveryMs: 60_000,
  /** How long webhooks of authentication may take. Kubernetes' own number. */
  accessWebhookMs: 30_000,
  /** How often files that configure access are looked at. */
  accessFilePollMs: 1_000,
  /** Answers of webhooks of authentication and authorization that are remembered. */
  webhookDecisions: 8_192,
  /**
   * Evictions that the controller of a disruption budget has yet to confirm; past it no more. Kubernetes' own
   * number.
   */
  disruptedPods: 2_000,
  /** Pods checked when a namespace enforces more than before, and for how long. Kubernetes' own numbers. */
  podSecurityPods: 3_000,
  podSecurityCheckMs: 1_000,
  /** Specs of pods of which it is remembered that they are sound. */
  knownPodSpecs: 16,
  /** Of a client's name in audit events. Kubernetes' own number. */
  auditUserAgentBytes: 1_024,
  /** Characters of audit events that wait to be stored; past it they are lost, and told of. */
  auditQueuedCharacters: 128 * MIB,
  /** What is written to an audit log in one turn, and how long that may take before another thread has to do it. */
  auditWriteBytes: 256 * KIB,
  auditWriteMs: 5,
  /** Lists of audit events on their way to the webhook at once. */
  auditWebhookCalls: 32,
  /** How long a webhook may take for a list of audit events. Kubernetes' own number. */
  auditWebhookMs: 30_000,
  /** How long events that wait when the server stops may take to be stored. */
  auditFlushMs: 10_000,
  /** Shapes of the values of one type whose sets of fields are remembered, and members of a value that is. */
  fieldShapes: 8,
  fieldShapeMembers: 1_000,
  /** Series of one metric, told apart by their labels; past it they share one. */
  metricSeries: 10_000,
  /** Regular expressions (of schemas, and computed by expressions) and time zones that are kept ready. */
  rememberedRegexes: 256,
  rememberedTimeZones: 64,
  /** Of an expression's text: code points, and how deep its constructs nest. cel-go's own numbers. */
  expressionCodePoints: 100_000,
  expressionDepth: 250,
  /** Nodes of an expression's tree; macros that repeat their operands could make any number of a short text. */
  expressionNodes: 250_000,
  /**
   * Syntax errors of one text that are told, attempts to read on after one, tokens passed over by one attempt.
   * cel-go's.
   */
  expressionSyntaxErrors: 100,
  expressionRecoveries: 30,
  expressionRecoveryTokens: 256,
  /** Parameters of a URL that an expression reads; with more than these it has none. Go's own number. */
  urlQueryParameters: 10_000,
  /** Parts of types that may be looked at while one expression is typed: so many, and so many more for each node. */
  typingSteps: 20_000,
  typingStepsPerNode: 200,
  /** A commit takes waiting writes up to this many bytes. */
  commitBytes: 8 * MIB,
  /** So many bytes of writes are worth a commit before all writes of a turn of the event loop are there. */
  earlyCommitBytes: 64 * KIB,
  /** Rows in one reply of the thread of the store. */
  storeReplyRows: 200,
  /** How long requests in flight may take to finish when the server drains. */
  drainMs: 60_000,
  /** How long a probe of a component (componentstatuses) may take. */
  componentProbeMs: 20_000,
  /** Deletions of one collection under way at once; they share commits. */
  deletionsAtOnce: 64,
  /** Objects of a collection that is deleted whole that are listed at once, as kube-apiserver lists them. */
  deletionPage: 10_000,
  /** Of a test server: requests that are remembered, versions of objects, and faults that are set at once. */
  testRequests: 10_000,
  testVersions: 20_000,
  testFaults: 1_000,
} as const;
