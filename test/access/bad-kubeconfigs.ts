// Invalid kubeconfigs of webhooks.

import { type BadConfiguration, file, KUBECONFIG } from './bad-configuration.ts';

export const BAD_KUBECONFIGS: readonly BadConfiguration[] = [
  file(
    'a kubeconfig of another kind',
    'authorization-webhook-config-file',
    'apiVersion: v1\nkind: Pod\n',
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig without context',
    'authorization-webhook-config-file',
    KUBECONFIG.replace('current-context: x', ''),
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig with an unknown context',
    'authorization-webhook-config-file',
    KUBECONFIG.replace('current-context: x', 'current-context: z'),
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig with an unknown cluster',
    'authorization-webhook-config-file',
    KUBECONFIG.replace('cluster: c, user', 'cluster: d, user'),
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig without server',
    'authorization-webhook-config-file',
    KUBECONFIG.replace("server: 'https://127.0.0.1:1'", ''),
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig with files that are not there',
    'authorization-webhook-config-file',
    KUBECONFIG.replace('token: t', 'client-certificate: no.crt, client-key: no.key'),
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig with an authority that is not there',
    'authorization-webhook-config-file',
    KUBECONFIG.replace("127.0.0.1:1'", "127.0.0.1:1', certificate-authority: none.crt"),
    '--authorization-mode=Webhook',
  ),
  file(
    'a kubeconfig with exec',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'exec: {command: a}'),
  ),
  file(
    'a kubeconfig with an unknown exec version',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'exec: {command: a, apiVersion: v1}'),
  ),
  file(
    'a kubeconfig with an auth provider',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'auth-provider: {name: magic}'),
  ),
  file(
    'a kubeconfig with token and password',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'token: t, username: a, password: b'),
  ),
  file(
    'a kubeconfig that impersonates groups alone',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'as-groups: [a]'),
  ),
  file(
    'a kubeconfig with a bad proxy',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("127.0.0.1:1'", "127.0.0.1:1', proxy-url: 'ftp://a'"),
  ),
  file(
    'a kubeconfig with a proxy that is no URL',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("127.0.0.1:1'", "127.0.0.1:1', proxy-url: ':a'"),
  ),
  file(
    'a kubeconfig that is insecure and has an authority',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace(
      "127.0.0.1:1'",
      "127.0.0.1:1', insecure-skip-tls-verify: true, certificate-authority-data: QQ==",
    ),
  ),
  file(
    'a kubeconfig with bad base64',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("127.0.0.1:1'", "127.0.0.1:1', certificate-authority-data: '***'"),
  ),
  file(
    'a kubeconfig with an authority that is none',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("127.0.0.1:1'", "127.0.0.1:1', certificate-authority-data: QQ=="),
  ),
  file(
    'a kubeconfig with a plugin of an unknown version',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'exec: {command: a, apiVersion: v1, interactiveMode: Never}'),
  ),
  file(
    'a kubeconfig with a plugin whose variable has no name',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace(
      'token: t',
      'exec: {command: a, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, env: [{value: x}]}',
    ),
  ),
  file(
    'a kubeconfig with a plugin and a provider',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace(
      'token: t',
      'exec: {command: a, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}, auth-provider: {name: magic}',
    ),
  ),
  file(
    'a kubeconfig with a plugin of an unknown mode',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace(
      'token: t',
      'exec: {command: a, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Maybe}',
    ),
  ),
  file(
    'a kubeconfig with a plugin that says nothing',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'exec: {}'),
  ),
  file(
    'a kubeconfig that acts with a uid alone',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'as-uid: a'),
  ),
  file(
    'a kubeconfig that acts with extra members alone',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'as-user-extra: {a: [b]}'),
  ),
  file(
    'a kubeconfig with a file of a token that is not there',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'tokenFile: none'),
  ),
  file(
    'a kubeconfig with a certificate without key',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'client-certificate-data: QQ=='),
  ),
  file(
    'a kubeconfig with a certificate that is none',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'client-certificate-data: QQ==, client-key-data: QQ=='),
  ),
  file(
    'a kubeconfig with a certificate twice',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace(
      'token: t',
      'client-certificate-data: QQ==, client-certificate: none, client-key-data: QQ==, client-key: none',
    ),
  ),
  file(
    'a kubeconfig whose token is a number',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'token: 1'),
  ),
  file(
    'a kubeconfig whose server is a number',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("server: 'https://127.0.0.1:1'", 'server: 1'),
  ),
  file(
    'a kubeconfig whose server is no URL',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("server: 'https://127.0.0.1:1'", 'server: "https://a b"'),
  ),
  file(
    'a kubeconfig whose server has a path and no scheme',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("server: 'https://127.0.0.1:1'", 'server: "a/b"'),
  ),
  file(
    'a kubeconfig whose user is a list',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('{token: t}', '[]'),
  ),
  file(
    'a kubeconfig whose groups are a text',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'as: a, as-groups: b'),
  ),
  file(
    'a kubeconfig whose groups are numbers',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'as: a, as-groups: [1]'),
  ),
  file(
    'a kubeconfig whose extra members are texts',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'as: a, as-user-extra: {a: b}'),
  ),
  file(
    'a kubeconfig with a plugin that is a text',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'exec: a'),
  ),
  file(
    'a kubeconfig with a plugin whose command is a list',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'exec: {command: [a]}'),
  ),
  file(
    'a kubeconfig whose key is a number',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('token: t', 'client-key-data: 1'),
  ),
  file(
    'a kubeconfig whose current context is a number',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('current-context: x', 'current-context: 1'),
  ),
  file(
    'a kubeconfig whose clusters are a map',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace('clusters:', 'clusters: {}\nothers:'),
  ),
  file(
    'a kubeconfig whose proxy is a bool',
    'authentication-token-webhook-config-file',
    KUBECONFIG.replace("127.0.0.1:1'", "127.0.0.1:1', proxy-url: true"),
  ),
];
