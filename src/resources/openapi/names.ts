// Names of operations and types in OpenAPI documents: identifiers derived from groups, versions and kinds.

import type { GroupVersion, GroupVersionKind } from '../../api/group-version.ts';

/** `listAppsV1NamespacedDeployment` from verb, group version and target. */
export function operationId(verb: string, { group, version }: GroupVersion, what: string): string {
  return verb + identifier(shortGroup(group), true) + identifier(version, true) + identifier(what, true);
}

/** `getRbacAuthorizationAPIGroup` */
export function groupOperationId(verb: string, group: string, what: string): string {
  return operationId(verb, { group, version: '' }, what);
}

/** `apps_v1`; `rbacAuthorization` for a group without a version. */
export function tagOf(group: string, version?: string): string {
  const tag = identifier(shortGroup(group), false);
  return version === undefined ? tag : `${tag}_${identifier(version, false)}`;
}

/** The published name of a custom resource's type, with its group reversed: `com.example.v1.Widget`. */
export function customTypeName({ group, version, kind }: GroupVersionKind): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

function shortGroup(group: string): string {
  return group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
}

/** Words of letters and digits joined in camel case, not starting with a digit. */
function identifier(text: string, capital: boolean): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return capital ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  const words = text.replace(/^\d+/, '').split(/[^\p{L}\p{Nd}_]+/u);
  return words
    .map((word, index) => (index > 0 || capital ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('');
}
