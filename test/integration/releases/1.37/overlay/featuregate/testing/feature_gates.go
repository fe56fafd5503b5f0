package testing

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-base/featuregate"
	original "k8s.io/component-base/featuregate/testing"

	"keelson.test/keelson"
)

type FeatureOverrides = original.FeatureOverrides

// SetFeatureGatesDuringTest sets gates until the end of the test.
func SetFeatureGatesDuringTest(tb TB, gate featuregate.FeatureGate, features FeatureOverrides) {
	tb.Helper()
	tb.Cleanup(func() { keelson.GatesSwitched(tb, gate) })
	original.SetFeatureGatesDuringTest(tb, gate, features)
	keelson.GatesSwitched(tb, gate)
}

// SetFeatureGateVersionsDuringTest sets the versions whose defaults apply until the end of the test.
func SetFeatureGateVersionsDuringTest(tb TB, gate featuregate.FeatureGate, emulated, oldest *version.Version) {
	tb.Helper()
	tb.Cleanup(func() { keelson.GatesSwitched(tb, gate) })
	original.SetFeatureGateVersionsDuringTest(tb, gate, emulated, oldest)
	keelson.GatesSwitched(tb, gate)
}
