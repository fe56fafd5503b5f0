// Metrics of components that a test runs in its own process beside the server: the original server shows them, too,
// because they share its process.
package keelson

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/prometheus/common/expfmt"

	"k8s.io/component-base/metrics/legacyregistry"
)

// withOwnMetrics adds the metrics of this process that the server does not have to what it answers for /metrics.
type withOwnMetrics struct{ next http.RoundTripper }

func (t withOwnMetrics) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(req)
	if err != nil || req.Method != http.MethodGet || req.URL.Path != "/metrics" || res.StatusCode != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		return nil, err
	}
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return nil, err
	}
	text := bytes.NewBuffer(body)
	encoder := expfmt.NewEncoder(text, expfmt.NewFormat(expfmt.TypeTextPlain))
	for _, family := range families {
		name := family.GetName()
		// What both have is the server's, and so is what says of requests to it.
		if strings.HasPrefix(name, "apiserver_") || strings.HasPrefix(name, "etcd_") || bytes.Contains(body, []byte("# TYPE "+name+" ")) {
			continue
		}
		if err := encoder.Encode(family); err != nil {
			return nil, err
		}
	}
	res.Body, res.ContentLength = io.NopCloser(text), int64(text.Len())
	res.Header.Del("Content-Length")
	return res, nil
}

// WrappedRoundTripper lets clients find the transport below.
func (t withOwnMetrics) WrappedRoundTripper() http.RoundTripper { return t.next }
