// Package testing has the names of k8s.io/component-base/featuregate/testing; a gate that it sets is set in running
// servers, too.
package testing

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-base/featuregate"
	original "k8s.io/component-base/featuregate/testing"

	"keelson.test/keelson"
)

type TB = original.TB

// SetFeatureGateDuringTest sets a gate until the end of the test.
func SetFeatureGateDuringTest(tb TB, gate featuregate.FeatureGate, f featuregate.Feature, value bool) {
	tb.Helper()
	// Called last, when the gate has its old value again.
	tb.Cleanup(func() { keelson.GatesSwitched(tb, gate) })
	original.SetFeatureGateDuringTest(tb, gate, f, value)
	keelson.GatesSwitched(tb, gate)
}

// SetFeatureGateEmulationVersionDuringTest sets the version whose defaults apply until the end of the test.
func SetFeatureGateEmulationVersionDuringTest(tb TB, gate featuregate.FeatureGate, ver *version.Version) {
	tb.Helper()
	tb.Cleanup(func() { keelson.GatesSwitched(tb, gate) })
	original.SetFeatureGateEmulationVersionDuringTest(tb, gate, ver)
	keelson.GatesSwitched(tb, gate)
}
