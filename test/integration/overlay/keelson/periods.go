// Periods of the server that tests shorten in the variables of kube-apiserver.
package keelson

import (
	"encoding/json"
	"net/url"
	"time"

	controlplane "k8s.io/kubernetes/pkg/controlplane/apiserver"
	"k8s.io/kubernetes/pkg/kubeapiserver/options"
)

// periods are variables that tests set, with their usual values, which are also Keelson's.
var periods = []struct {
	usual time.Duration
	set   *time.Duration
}{
	{time.Hour, &controlplane.IdentityLeaseGCPeriod},
	{30 * time.Minute, &controlplane.LeaseCandidateGCPeriod},
	{5 * time.Minute, consistencyCheckPeriod},
	{time.Minute, &options.UpdateAuthenticationConfigTimeout},
}

// periodArgs are the arguments of Node.js with which a child's timers of these periods take what the test has set.
func periodArgs() []string {
	changed := map[int64]int64{}
	for _, p := range periods {
		if *p.set != p.usual {
			changed[p.usual.Milliseconds()] = p.set.Milliseconds()
		}
	}
	if len(changed) == 0 {
		return nil
	}
	table, _ := json.Marshal(changed)
	code := "const { setTimeout } = globalThis, periods = " + string(table) + ";" +
		" globalThis.setTimeout = (work, ms, ...rest) => setTimeout(work, periods[ms] ?? ms, ...rest);"
	return []string{"--import", "data:text/javascript," + url.PathEscape(code)}
}
