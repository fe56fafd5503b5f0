// Default ClusterRoleBindings, and the Roles and RoleBindings within namespaces.

import { lookup } from '../../base/lookup.ts';
import { group, on, only, type RoleFacts, type Subject, serviceAccount, user } from './rules.ts';

/** Bindings by the name of the cluster role, which is also their own name. */
export const CLUSTER_ROLE_BINDINGS: Readonly<Record<string, readonly Subject[]>> = lookup({
  'cluster-admin': [group('system:masters')],
  'system:basic-user': [group('system:authenticated')],
  'system:discovery': [group('system:authenticated')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:kube-dns': [serviceAccount('kube-dns')],
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:monitoring': [group('system:monitoring')],
  'system:node': [],
  'system:node-proxier': [user('system:kube-proxy')],
  'system:public-info-viewer': [group('system:authenticated'), group('system:unauthenticated')],
  'system:cluster-trust-bundle-discovery': [group('system:serviceaccounts')],
  'system:service-account-issuer-discovery': [group('system:serviceaccounts')],
  'system:volume-scheduler': [user('system:kube-scheduler')],
});

/** Roles in namespaces, with the subjects of their bindings. */
export const NAMESPACED_ROLES: readonly RoleFacts[] = [
  {
    namespace: 'kube-public',
    name: 'system:controller:bootstrap-signer',
    subjects: [serviceAccount('bootstrap-signer')],
    rules: [
      on('get,list,watch', '', 'configmaps'),
      only('cluster-info', on('update', '', 'configmaps')),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    namespace: 'kube-system',
    name: 'extension-apiserver-authentication-reader',
    binding: 'system::extension-apiserver-authentication-reader',
    subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler')],
    rules: [only('extension-apiserver-authentication', on('get,list,watch', '', 'configmaps'))],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-controller-manager',
    subjects: [
      user('system:kube-controller-manager'),
      serviceAccount('kube-controller-manager'),
      serviceAccount('leader-election-controller', 31),
    ],
    rules: [
      on('watch', '', 'configmaps'),
      only('kube-controller-manager', on('get,update', '', 'configmaps')),
      on('create,get,list,update,watch', 'coordination.k8s.io', 'leases'),
      on('create,get,list,update,watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-scheduler',
    subjects: [user('system:kube-scheduler'), serviceAccount('kube-scheduler')],
    rules: [
      on('watch', '', 'configmaps'),
      only('kube-scheduler', on('get,update', '', 'configmaps')),
      on('create,get,list,update,watch', 'coordination.k8s.io', 'leases'),
      on('create,get,list,update,watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:bootstrap-signer',
    subjects: [serviceAccount('bootstrap-signer')],
    rules: [on('get,list,watch', '', 'secrets')],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:cloud-provider',
    subjects: [serviceAccount('cloud-provider')],
    rules: [on('create,get,list,watch', '', 'configmaps')],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:token-cleaner',
    subjects: [serviceAccount('token-cleaner')],
    rules: [on('delete,get,list,watch', '', 'secrets'), on('create,patch,update', ',events.k8s.io', 'events')],
  },
];
