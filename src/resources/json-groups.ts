// The groups whose objects Kubernetes stores as JSON, whatever it stores others as.

export const JSON_GROUPS: readonly string[] = Object.freeze(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
