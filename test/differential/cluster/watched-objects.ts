// The objects that the differential tester of clusters follows, as far as it looks at them.

export interface WatchedPod {
  readonly metadata: WatchedMetadata;
  readonly spec: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface WatchedMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean }[];
}

/** A Deployment, DaemonSet, StatefulSet or Job, as far as it is looked at. */
export interface Workload {
  readonly kind: string;
  readonly metadata: WatchedMetadata;
  readonly spec: {
    readonly replicas?: number;
    readonly parallelism?: number;
    readonly podManagementPolicy?: string;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly strategy?: Strategy;
    readonly updateStrategy?: Strategy;
  };
}

interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
}

export function ownerOf({ metadata }: WatchedPod) {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}
