// Names of Kubernetes whose shape depends on the release.
package testing

import (
	"k8s.io/apiserver/pkg/cel/environment"
	original "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
)

func controlOptions(o *TestServerInstanceOptions) *original.TestServerInstanceOptions {
	return &original.TestServerInstanceOptions{SkipHealthzCheck: o.SkipHealthzCheck, EnableCertAuth: o.EnableCertAuth, StorageVersionWrapFunc: o.StorageVersionWrapFunc, ProxyCA: (*original.ProxyCA)(o.ProxyCA), BinaryVersion: o.BinaryVersion, RequestTimeout: o.RequestTimeout}
}

func buildEnvironment() {
	environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion(), true)
}
