// The recorded conversations once more, on etcd: what clients see does not depend on where objects are kept.

import { findEtcd, NO_ETCD } from '../etcd/etcd-process.ts';
import { conversations } from './conversations.ts';

conversations('conversations recorded from kube-apiserver, on etcd', {
  store: 'etcd',
  skip: findEtcd() === undefined ? NO_ETCD : false,
});
