// Package metrics has that name of k8s.io/apiserver/pkg/authorization/metrics by which a test resets counters.
package metrics

import (
	original "k8s.io/apiserver/pkg/authorization/metrics"

	"keelson.test/keelson"
)

// ResetMetricsForTest sets the metrics of the test's process, and all metrics of servers that run, to zero.
func ResetMetricsForTest() {
	original.ResetMetricsForTest()
	keelson.ResetMetrics()
}
