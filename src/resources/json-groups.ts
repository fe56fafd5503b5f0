// The groups whose objects Kubernetes always stores as JSON.

export const JSON_GROUPS: readonly string[] = Object.freeze(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
