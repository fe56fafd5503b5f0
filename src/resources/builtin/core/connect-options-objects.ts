// The objects of core/connect-options.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

export type NodeProxyOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly path?: string;
};

export type PodAttachOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
};

export type PodExecOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
  readonly command?: readonly string[] | null;
};

export type PodLogOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly sinceSeconds?: number | bigint;
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly tailLines?: number | bigint;
  readonly limitBytes?: number | bigint;
  readonly insecureSkipTLSVerifyBackend?: boolean;
  readonly stream?: string;
};

export type PodPortForwardOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly ports?: readonly number[];
};

export type PodProxyOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly path?: string;
};

export type ServiceProxyOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly path?: string;
};
