// Types of the core group, v1: options of connect requests to pods, services and nodes.

import { bool, inline, int64, list, string, struct, time } from '../../../schema/build.ts';
import { TypeMeta } from '../meta/v1.ts';

export const NodeProxyOptions = struct(
  'core/v1.NodeProxyOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    path: string(1),
  }),
  { kinds: ['v1/NodeProxyOptions'] },
);

export const PodAttachOptions = struct(
  'core/v1.PodAttachOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    stdin: bool(1),
    stdout: bool(2),
    stderr: bool(3),
    tty: bool(4),
    container: string(5),
  }),
  { kinds: ['v1/PodAttachOptions'] },
);

export const PodExecOptions = struct(
  'core/v1.PodExecOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    stdin: bool(1),
    stdout: bool(2),
    stderr: bool(3),
    tty: bool(4),
    container: string(5),
    command: list(6, 'string').required().atomic(30),
  }),
  { kinds: ['v1/PodExecOptions'] },
);

export const PodLogOptions = struct(
  'core/v1.PodLogOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    container: string(1),
    follow: bool(2),
    previous: bool(3),
    sinceSeconds: int64(4).pointer(),
    sinceTime: time(5).pointer(),
    timestamps: bool(6),
    tailLines: int64(7).pointer(),
    limitBytes: int64(8).pointer(),
    insecureSkipTLSVerifyBackend: bool(9),
    stream: string(10).pointer().behind('PodLogsQuerySplitStreams').since(32),
  }),
  { kinds: ['v1/PodLogOptions'] },
);

export const PodPortForwardOptions = struct(
  'core/v1.PodPortForwardOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    ports: list(1, 'int32').atomic(30),
  }),
  { kinds: ['v1/PodPortForwardOptions'] },
);

export const PodProxyOptions = struct(
  'core/v1.PodProxyOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    path: string(1),
  }),
  { kinds: ['v1/PodProxyOptions'] },
);

export const ServiceProxyOptions = struct(
  'core/v1.ServiceProxyOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    path: string(1),
  }),
  { kinds: ['v1/ServiceProxyOptions'] },
);
