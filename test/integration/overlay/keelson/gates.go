// Feature gates that a test switches while servers run. In the test's process a switched gate is seen at once; a child
// reads its flags once, so that it is started again with the new ones, on the same port and the same etcd.
package keelson

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/component-base/featuregate"
)

var (
	runningMu sync.Mutex
	running   = map[*Server]bool{}
)

// Failer is what a test can be ended with.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// GatesSwitched starts the servers that run again, if the gates are those of API servers and differ from the servers'.
func GatesSwitched(t Failer, gate featuregate.FeatureGate) {
	t.Helper()
	if Control() || gate != featuregate.FeatureGate(utilfeature.DefaultMutableFeatureGate) {
		return
	}
	runningMu.Lock()
	defer runningMu.Unlock()
	for s := range running {
		args := withGates(s.asked, utilfeature.DefaultMutableFeatureGate)
		if strings.Join(args, "\n") == strings.Join(s.args, "\n") {
			continue
		}
		if v := os.Getenv("KEELSON_STORE"); v == "memory" {
			NeedsGo(t, "feature gates are switched while a server in memory runs")
		}
		if err := s.restart(args); err != nil {
			t.Fatalf("keelson does not start again with other feature gates: %v", err)
		}
	}
}

// ResetMetrics sets the metrics of all servers that run to zero, as whoever profiles a server can.
func ResetMetrics() {
	runningMu.Lock()
	defer runningMu.Unlock()
	for s := range running {
		config := restclient.CopyConfig(s.config)
		config.BearerToken = Token
		client, err := restclient.HTTPClientFor(config)
		if err != nil {
			panic(err)
		}
		req, _ := http.NewRequest(http.MethodDelete, s.URL+"/metrics", nil)
		res, err := client.Do(req)
		if err != nil {
			panic(err)
		}
		res.Body.Close()
	}
}

// restart starts another child before the present one ends: both listen on the port for a while, so that no connection
// is refused, after which clients would wait ever longer.
func (s *Server) restart(args []string) error {
	out, err := os.OpenFile(s.Log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	listening := s.timesListening()
	before := s.child
	s.args = args
	if err := s.spawn(out); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); s.timesListening() == listening; time.Sleep(20 * time.Millisecond) {
		if ended, err := s.Ended(); ended {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("does not listen: %s", s.tail())
		}
	}
	s.end(before)
	return s.answers()
}

// timesListening counts the children that have listened so far.
func (s *Server) timesListening() int {
	data, _ := os.ReadFile(s.Log)
	return bytes.Count(data, []byte("\nKeelson listens on "))
}

// emulation gives the emulated version as a value of --emulated-version; empty for the version of the binary.
func emulation(gate featuregate.MutableVersionedFeatureGate) string {
	emulated := gate.EmulationVersion()
	if emulated.EqualTo(compatibility.DefaultKubeEffectiveVersionForTest().BinaryVersion()) {
		return ""
	}
	return fmt.Sprintf("kube=%d.%d", emulated.Major(), emulated.Minor())
}

// SetEmulation sets the emulated version, unless it is that of the binary.
func SetEmulation(f *Flags, gate featuregate.MutableVersionedFeatureGate) {
	if v := emulation(gate); v != "" {
		f.Set("emulated-version", v)
	}
}

// peerGate is what flags about other servers need, which kube-apiserver checks when it starts.
const peerGate = "UnknownVersionInteroperabilityProxy"

// withGates gives the arguments with the gates and the emulated version of gate.
func withGates(args []string, gate featuregate.MutableVersionedFeatureGate) []string {
	version, forward := emulation(gate), ""
	if version != "" {
		forward = "true"
	}
	if !gate.Enabled(peerGate) {
		for _, name := range []string{"peer-ca-file", "peer-advertise-ip", "peer-advertise-port"} {
			args = withFlag(args, name, "")
		}
	}
	args = withFlag(args, "feature-gates", strings.Join(Gates(gate), ","))
	args = withFlag(args, "emulated-version", version)
	return withFlag(args, "runtime-config-emulation-forward-compatible", forward)
}

// withFlag gives the arguments with another value of a flag in its place; without the flag if the value is empty.
func withFlag(args []string, name, value string) []string {
	var out []string
	prefix, seen := "--"+name+"=", value == ""
	for _, a := range args {
		if !strings.HasPrefix(a, prefix) {
			out = append(out, a)
		} else if !seen {
			out, seen = append(out, prefix+value), true
		}
	}
	if !seen {
		out = append(out, prefix+value)
	}
	return out
}
