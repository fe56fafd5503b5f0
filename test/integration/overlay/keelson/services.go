// Services that a test resolves by itself: Keelson reaches Services through a proxy in the test's process, which connects
// to what the test's resolver says.
package keelson

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
)

// ServiceResolver finds a Service.
type ServiceResolver interface {
	ResolveEndpoint(namespace, name string, port int32) (*url.URL, error)
}

var (
	resolverMu sync.Mutex
	resolver   ServiceResolver
)

// SetServiceResolver replaces how servers that start from now on find Services, until the returned function is called.
func SetServiceResolver(r ServiceResolver) func() {
	resolverMu.Lock()
	defer resolverMu.Unlock()
	before := resolver
	resolver = r
	return func() {
		resolverMu.Lock()
		defer resolverMu.Unlock()
		resolver = before
	}
}

// ResolveServices lets the server connect to Services as the test's resolver says, if there is one. The returned function
// ends that.
func ResolveServices(f *Flags, dir string) (func(), error) {
	resolverMu.Lock()
	r := resolver
	resolverMu.Unlock()
	if r == nil || f.Has("egress-selector-config-file") {
		return func() {}, nil
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		// A proxy sees addresses, not Services: resolvers of tests give one endpoint for all of them.
		endpoint, err := r.ResolveEndpoint("", "", 443)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		connect(w, endpoint.Host)
	}))
	file := filepath.Join(dir, "egress.yaml")
	text := fmt.Sprintf(`apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: %q}}}
`, proxy.URL)
	f.Set("egress-selector-config-file", file)
	return proxy.Close, os.WriteFile(file, []byte(text), 0o600)
}

func connect(w http.ResponseWriter, address string) {
	target, err := net.Dial("tcp", address)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	client, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		target.Close()
		return
	}
	_, _ = client.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n"))
	go func() {
		_, _ = io.Copy(target, buffered)
		target.Close()
	}()
	_, _ = io.Copy(client, target)
	client.Close()
}
