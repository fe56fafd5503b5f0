// Package keelson starts Keelson as a child process in place of an API server that runs in the test's process.
package keelson

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"go.opentelemetry.io/otel/trace/noop"

	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/component-base/featuregate"
	"k8s.io/component-base/tracing"
)

// Token is the bearer token of the privileged client, the counterpart of the loopback client.
const Token = "keelson-integration-loopback-token"

// LoopbackName is the server name by which the privileged client asks for the certificate that it trusts.
const LoopbackName = "apiserver-loopback-client"

func env(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// Control says whether the original server is to run instead, in the test's process: KEELSON_CONTROL=1.
func Control() bool { return os.Getenv("KEELSON_CONTROL") != "" }

// Server is a running Keelson.
type Server struct {
	Port int
	URL  string
	Log  string

	dir      string
	nodeArgs []string
	asked    []string
	args     []string
	config   *restclient.Config
	answers  func() error
	child    *child
	stopped  atomic.Bool
}

// child is a process.
type child struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

var (
	portsMu   sync.Mutex
	firstPort = number(env("KEELSON_FIRST_PORT", "20000"))
	next      = firstPort + (os.Getpid()*7)%900
	taken     = map[int]bool{}
	count     atomic.Int32
)

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// FreePort finds a free port among the thousand from KEELSON_FIRST_PORT on, which is 20000 by default.
func FreePort() (int, error) {
	portsMu.Lock()
	defer portsMu.Unlock()
	for i := 0; i < 1000; i++ {
		next++
		if next >= firstPort+1000 {
			next = firstPort
		}
		if taken[next] {
			continue
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", next))
		if err != nil {
			continue
		}
		l.Close()
		taken[next] = true
		return next, nil
	}
	return 0, errors.New("no free port")
}

// Start starts the child. It does not wait for readiness.
func Start(name, dir string, port int, args []string) (*Server, error) {
	logs := env("KEELSON_LOGS", dir)
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return nil, err
	}
	logFile := filepath.Join(logs, fmt.Sprintf("%s-%d-%d.log", regexp.MustCompile(`[^A-Za-z0-9_.-]+`).ReplaceAllString(name, "_"), os.Getpid(), count.Add(1)))
	out, err := os.Create(logFile)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	s := &Server{Port: port, URL: fmt.Sprintf("https://127.0.0.1:%d", port), Log: logFile, dir: dir, nodeArgs: append(hostnameArgs(), periodArgs()...), asked: args, args: args}
	return s, s.spawn(out)
}

// spawn starts the child, whose output goes to out.
func (s *Server) spawn(out *os.File) error {
	full := append(append([]string{}, s.nodeArgs...), env("KEELSON_PROGRAM", "bin/keelson.js"), "serve", fmt.Sprintf("--secure-port=%d", s.Port), "--bind-address=127.0.0.1", "--data-dir="+filepath.Join(s.dir, "keelson-data"))
	full = append(full, s.args...)
	fmt.Fprintf(out, "# %q\n", full)
	cmd := exec.Command(env("KEELSON_NODE", "node"), full...)
	c := &child{cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		// The thread that starts the child must live as long as the child does, for Pdeathsig.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		c.err = cmd.Wait()
		close(c.done)
	}()
	s.child = c
	return <-started
}

// Ended says whether the child has ended, and why.
func (s *Server) Ended() (bool, error) {
	select {
	case <-s.child.done:
		return true, fmt.Errorf("%s (keelson ended: %v)", s.tail(), s.child.err)
	default:
		return false, nil
	}
}

func (s *Server) tail() string {
	data, _ := os.ReadFile(s.Log)
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		data = data[i+1:]
	}
	if len(data) > 4000 {
		data = data[len(data)-4000:]
	}
	return strings.TrimSpace(string(data))
}

// Stop ends the child: SIGTERM, and SIGKILL if it still runs after the grace period.
func (s *Server) Stop() {
	if s == nil || !s.stopped.CompareAndSwap(false, true) {
		return
	}
	runningMu.Lock()
	delete(running, s)
	runningMu.Unlock()
	s.end(s.child)
}

func (s *Server) end(c *child) {
	begun := time.Now()
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.done:
	case <-time.After(30 * time.Second):
		_ = c.cmd.Process.Kill()
		<-c.done
		if f, err := os.OpenFile(s.Log, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			fmt.Fprintf(f, "# killed: still running %v after SIGTERM\n", time.Since(begun))
			f.Close()
		}
	}
}

// WaitReady waits until /healthz says 200 and the namespaces exist.
func (s *Server) WaitReady(config *restclient.Config, health bool, timeout time.Duration, namespaces ...string) error {
	config = restclient.CopyConfig(config)
	s.config = config
	s.answers = func() error { return s.waitReady(config, health, 2*time.Minute, namespaces...) }
	runningMu.Lock()
	running[s] = true
	runningMu.Unlock()
	return s.waitReady(config, health, timeout, namespaces...)
}

func (s *Server) waitReady(config *restclient.Config, health bool, timeout time.Duration, namespaces ...string) error {
	config = restclient.CopyConfig(config)
	config.BearerToken = Token
	transport, err := restclient.TransportFor(config)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	var paths []string
	if health {
		paths = append(paths, "/healthz")
	}
	for _, n := range namespaces {
		paths = append(paths, "/api/v1/namespaces/"+n)
	}
	last := ""
	for end := time.Now().Add(timeout); len(paths) > 0; {
		if ended, err := s.Ended(); ended {
			return err
		}
		res, err := client.Get(s.URL + paths[0])
		if err == nil {
			res.Body.Close()
			if res.StatusCode == 200 {
				paths = paths[1:]
				continue
			}
			last = fmt.Sprintf("%s: %s", paths[0], res.Status)
		} else {
			last = err.Error()
		}
		if time.Now().After(end) {
			return fmt.Errorf("not ready: %s\n%s", last, s.tail())
		}
		time.Sleep(30 * time.Millisecond)
	}
	return nil
}

// Flags holds flags by name, each with its occurrences.
type Flags struct {
	names  []string
	values map[string][]string
}

func (f *Flags) Set(name string, values ...string) {
	if f.values == nil {
		f.values = map[string][]string{}
	}
	if _, ok := f.values[name]; !ok {
		f.names = append(f.names, name)
	}
	f.values[name] = values
}

func (f *Flags) Has(name string) bool     { _, ok := f.values[name]; return ok }
func (f *Flags) Get(name string) []string { return f.values[name] }

func (f *Flags) Unset(name string) {
	if !f.Has(name) {
		return
	}
	delete(f.values, name)
	for i, n := range f.names {
		if n == name {
			f.names = append(f.names[:i:i], f.names[i+1:]...)
			break
		}
	}
}

// Names lists those that are set.
func (f *Flags) Names() []string { return append([]string(nil), f.names...) }

func (f *Flags) Args() []string {
	var args []string
	for _, n := range f.names {
		for _, v := range f.values[n] {
			args = append(args, "--"+n+"="+v)
		}
	}
	return args
}

// FromArgs sets the flags of a command line, as the definitions in fs tell them apart from values; it replaces what was set.
func (f *Flags) FromArgs(args []string, fs *pflag.FlagSet) {
	given := Flags{}
	for i := 0; i < len(args); i++ {
		a := strings.TrimLeft(args[i], "-")
		if a == "" {
			continue
		}
		name, value, ok := strings.Cut(a, "=")
		name = strings.ReplaceAll(name, "_", "-")
		if !ok {
			def := fs.Lookup(name)
			if def != nil && def.NoOptDefVal != "" {
				value = def.NoOptDefVal
			} else if i+1 < len(args) {
				i++
				value = args[i]
			}
		}
		given.Set(name, append(given.Get(name), value)...)
	}
	for _, n := range given.names {
		f.Set(n, given.values[n]...)
	}
}

// FromOptions sets the flags whose values in given are other than in plain, both by the groups of the command's flags.
func (f *Flags) FromOptions(given, plain map[string]*pflag.FlagSet) {
	defaults := map[string]string{}
	for _, fs := range plain {
		fs.VisitAll(func(fl *pflag.Flag) { defaults[fl.Name] = fl.Value.String() })
	}
	for _, fs := range given {
		fs.VisitAll(func(fl *pflag.Flag) {
			if fl.Value.String() != defaults[fl.Name] {
				f.Set(fl.Name, ValuesOf(fl)...)
			}
		})
	}
}

// ValuesOf gives the occurrences of a flag that lead to its present value.
func ValuesOf(fl *pflag.Flag) []string {
	if s, ok := fl.Value.(pflag.SliceValue); ok {
		var out []string
		for _, v := range s.GetSlice() {
			if fl.Value.Type() == "stringSlice" && strings.ContainsAny(v, "\",\n") {
				v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
			}
			out = append(out, v)
		}
		if len(out) == 0 {
			out = []string{""}
		}
		return out
	}
	v := fl.Value.String()
	if fl.Value.Type() == "stringToString" {
		v = strings.TrimSuffix(strings.TrimPrefix(v, "["), "]")
	}
	return []string{v}
}

// ofScheduler has the feature gates of kube-scheduler alone, which tests switch while their servers run.
var ofScheduler = map[featuregate.Feature]bool{
	"DRASchedulerFilterTimeout":       true,
	"NominatedNodeNameForExpectation": true,
	"SchedulerAsyncAPICalls":          true,
	"SchedulerAsyncPreemption":        true,
	"SchedulerPopFromBackoffQ":        true,
	"SchedulerQueueingHints":          true,
	"StorageCapacityScoring":          true,
}

// Gates are the feature gates that differ from their defaults at the gate's emulated version, as values of --feature-gates.
func Gates(gate featuregate.MutableVersionedFeatureGate) []string {
	plain := gate.DeepCopy()
	for f := range gate.GetAll() {
		_ = plain.ResetFeatureValueToDefault(f)
	}
	var out []string
	for f := range gate.GetAll() {
		if f == "AllAlpha" || f == "AllBeta" || ofScheduler[f] {
			continue
		}
		if gate.Enabled(f) != plain.Enabled(f) {
			out = append(out, fmt.Sprintf("%s=%v", f, gate.Enabled(f)))
		}
	}
	sort.Strings(out)
	return out
}

// Serving writes a self-signed serving certificate for 127.0.0.1 as BASE.crt and BASE.key and returns it.
func Serving(dir, base, name, fixtures string) ([]byte, error) {
	crt, key, err := cert.GenerateSelfSignedCertKeyWithFixtures(name, []net.IP{net.ParseIP("127.0.0.1"), net.ParseIP("10.0.0.1")}, []string{"kubernetes.default.svc", "kubernetes.default", "kubernetes", "localhost"}, fixtures)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, base+".crt"), crt, 0o644); err != nil {
		return nil, err
	}
	return crt, os.WriteFile(filepath.Join(dir, base+".key"), key, 0o600)
}

// SigningKey writes a new key for service account tokens.
func SigningKey(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	pem, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(file, pem, 0o600)
}

// Tokens writes a token file with the lines of other, if there is one, and the privileged client's.
func Tokens(file, other string) error {
	var lines []byte
	if other != "" {
		var err error
		if lines, err = os.ReadFile(other); err != nil {
			return err
		}
		if len(lines) > 0 && lines[len(lines)-1] != '\n' {
			lines = append(lines, '\n')
		}
	}
	lines = append(lines, []byte(Token+",system:apiserver,keelson-loopback,system:masters\n")...)
	return os.WriteFile(file, lines, 0o600)
}

// Config is the configuration of the privileged client, which, like the loopback client, does not limit its rate and
// carries on traces.
func (s *Server) Config(ca []byte, serverName string) *restclient.Config {
	return &restclient.Config{
		Host:            s.URL,
		QPS:             -1,
		BearerToken:     Token,
		TLSClientConfig: restclient.TLSClientConfig{CAData: ca, ServerName: serverName},
		WrapTransport: func(next http.RoundTripper) http.RoundTripper {
			return withOwnMetrics{tracing.WrapperFor(noop.NewTracerProvider())(next)}
		},
	}
}

// FinishArgs settles what Keelson does otherwise than kube-apiserver by default, so that only the tests decide.
func FinishArgs(f *Flags) {
	if !f.Has("authorization-mode") && !f.Has("authorization-config") {
		f.Set("authorization-mode", "AlwaysAllow")
	}
	if v := os.Getenv("KEELSON_RELEASE"); v != "" {
		f.Set("kubernetes-version", v)
	}
	if !f.Has("allow-privileged") {
		f.Set("allow-privileged", "false")
	}
	if !f.Has("controllers") {
		// Those of kube-controller-manager are started by the tests that need them.
		f.Set("controllers", "-*")
	}
	mentioned := false
	for _, n := range []string{"enable-admission-plugins", "disable-admission-plugins", "admission-control"} {
		for _, v := range f.Get(n) {
			mentioned = mentioned || strings.Contains(v, "NodeRestriction")
		}
	}
	if !mentioned && !f.Has("admission-control") {
		f.Set("disable-admission-plugins", append(append([]string{}, nonEmpty(f.Get("disable-admission-plugins"))...), "NodeRestriction")...)
	}
	// For what starts a server again: the next one listens before the one before ends.
	f.Set("permit-port-sharing", "true")
	// KEELSON_STORE=memory leaves etcd out: starts are cheaper, for tests that do not look into it.
	if v := os.Getenv("KEELSON_STORE"); v != "" {
		for _, n := range f.Names() {
			if strings.HasPrefix(n, "etcd-") && n != "etcd-compaction-interval" {
				f.Unset(n)
			}
		}
		f.Set("store", v)
	}
	// The child runs in another folder than the test.
	for _, n := range f.Names() {
		for i, v := range f.values[n] {
			if v != "" && !filepath.IsAbs(v) {
				if _, err := os.Stat(v); err == nil {
					if abs, err := filepath.Abs(v); err == nil {
						f.values[n][i] = abs
					}
				}
			}
		}
	}
	// KEELSON_DROP=some-flag,other-flag runs tests without flags that Keelson refuses.
	for _, n := range strings.Split(os.Getenv("KEELSON_DROP"), ",") {
		f.Unset(n)
	}
	if v := os.Getenv("KEELSON_EXTRA_FLAGS"); v != "" {
		for _, a := range strings.Fields(v) {
			n, val, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
			f.Set(n, val)
		}
	}
}

func nonEmpty(in []string) (out []string) {
	for _, v := range in {
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// Skipper is what tests can be skipped with.
type Skipper interface {
	Skipf(format string, args ...any)
}

// NeedsGo skips a test that reaches into the server's Go process.
func NeedsGo(t any, format string, args ...any) {
	message := "NEEDS-GO-PROCESS: " + fmt.Sprintf(format, args...)
	if os.Getenv("KEELSON_IGNORE_NEEDS_GO") != "" {
		fmt.Fprintln(os.Stderr, "ignored: "+message)
		return
	}
	if s, ok := t.(Skipper); ok {
		s.Skipf("%s", message)
	}
	panic(message)
}
