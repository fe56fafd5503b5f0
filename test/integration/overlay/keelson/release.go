// Names of Kubernetes whose shape depends on the release.
package keelson

import (
	"k8s.io/apiserver/pkg/storage/cacher"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
)

var consistencyCheckPeriod = &cacher.ConsistencyCheckPeriod

// SetGates sets the gates of the test's process as they are in gate until the end of the test.
func SetGates(tb featuregatetesting.TB, gate featuregate.FeatureGate) {
	for f := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if gate.Enabled(f) != utilfeature.DefaultFeatureGate.Enabled(f) {
			featuregatetesting.SetFeatureGateDuringTest(tb, utilfeature.DefaultFeatureGate, f, gate.Enabled(f))
		}
	}
}
