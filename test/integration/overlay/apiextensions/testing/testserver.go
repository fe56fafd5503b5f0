// Package testing has the names of k8s.io/apiextensions-apiserver/pkg/cmd/server/testing, and starts Keelson.
package testing

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	extensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	original "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	basecompatibility "k8s.io/component-base/compatibility"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	logsapi "k8s.io/component-base/logs/api/v1"

	"keelson.test/keelson"
)

func init() { logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged }

type TearDownFunc func()

type TestServerInstanceOptions struct{}

type TestServer struct {
	ClientConfig    *restclient.Config
	ServerOpts      *options.CustomResourceDefinitionsServerOptions
	TearDownFn      TearDownFunc
	TmpDir          string
	CompletedConfig extensionsapiserver.CompletedConfig
}

type Logger interface {
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
}

func NewDefaultTestServerOptions() *TestServerInstanceOptions { return &TestServerInstanceOptions{} }

func fixtures() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "testdata")
}

// StartTestServer starts Keelson in place of apiextensions-apiserver.
func StartTestServer(t Logger, _ *TestServerInstanceOptions, customFlags []string, storageConfig *storagebackend.Config) (result TestServer, err error) {
	if keelson.Control() {
		r, err := original.StartTestServer(t, nil, customFlags, storageConfig)
		return TestServer{ClientConfig: r.ClientConfig, ServerOpts: r.ServerOpts, TearDownFn: TearDownFunc(r.TearDownFn), TmpDir: r.TmpDir, CompletedConfig: r.CompletedConfig}, err
	}
	var server *keelson.Server
	_, cancel := context.WithCancel(context.Background())
	tearDown := func() {
		cancel()
		server.Stop()
		if result.TmpDir != "" {
			os.RemoveAll(result.TmpDir)
		}
	}
	defer func() {
		if result.TearDownFn == nil {
			tearDown()
		}
	}()
	if result.TmpDir, err = os.MkdirTemp("", "apiextensions-apiserver"); err != nil {
		return result, err
	}
	dir := result.TmpDir

	s := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	version := compatibility.DefaultKubeEffectiveVersionForTest()
	version.SetEmulationVersion(gate.EmulationVersion())
	registry := basecompatibility.NewComponentGlobalsRegistry()
	if err := registry.Register(basecompatibility.DefaultKubeComponent, version, gate); err != nil {
		return result, err
	}
	s.ServerRunOptions.ComponentGlobalsRegistry = registry
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	s.AddFlags(fs)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return result, err
	}
	defer listener.Close()
	s.RecommendedOptions.SecureServing.Listener = listener
	s.RecommendedOptions.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	s.RecommendedOptions.SecureServing.ServerCert.CertDirectory = dir
	s.RecommendedOptions.SecureServing.ExternalAddress = net.ParseIP("127.0.0.1")
	s.RecommendedOptions.SecureServing.ServerCert.FixtureDirectory = fixtures()
	var flags keelson.Flags
	flags.Set("cert-dir", dir)
	flags.Set("endpoint-reconciler-type", "none")
	if storageConfig != nil {
		s.RecommendedOptions.Etcd.StorageConfig = *storageConfig
		flags.Set("etcd-servers", strings.Join(storageConfig.Transport.ServerList, ","))
		flags.Set("etcd-prefix", storageConfig.Prefix)
	}
	s.APIEnablement.RuntimeConfig.Set("api/all=true")
	if err := fs.Parse(customFlags); err != nil {
		return result, err
	}
	flags.FromArgs(customFlags, fs)
	for _, own := range []string{"authentication-skip-lookup", "authentication-kubeconfig", "authorization-kubeconfig", "kubeconfig"} {
		flags.Unset(own)
	}
	// These plugins would reject what apiextensions-apiserver, which has no built-in kinds, accepts.
	for _, plugin := range []string{"ServiceAccount"} {
		flags.Set("disable-admission-plugins", append(flags.Get("disable-admission-plugins"), plugin)...)
	}
	if err := registry.Set(); err != nil {
		return result, err
	}
	tb, _ := t.(featuregatetesting.TB)
	if !gate.EmulationVersion().EqualTo(utilfeature.DefaultMutableFeatureGate.EmulationVersion()) {
		featuregatetesting.SetFeatureGateEmulationVersionDuringTest(tb, utilfeature.DefaultMutableFeatureGate, version.EmulationVersion())
	}
	keelson.SetGates(tb, gate)
	flags.Unset("feature-gates")
	if gates := keelson.Gates(gate); len(gates) > 0 {
		flags.Set("feature-gates", strings.Join(gates, ","))
	}
	if binary := compatibility.DefaultKubeEffectiveVersionForTest().BinaryVersion(); !gate.EmulationVersion().EqualTo(binary) && !flags.Has("emulated-version") {
		flags.Set("emulated-version", fmt.Sprintf("kube=%d.%d", gate.EmulationVersion().Major(), gate.EmulationVersion().Minor()))
	}
	if err := s.Complete(); err != nil {
		return result, err
	}
	// The configuration is only completed for tests that look into storage through it, because that takes long.
	callers := make([]uintptr, 20)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if strings.HasSuffix(frame.Function, "WithConfigAccess") {
			config, err := s.Config()
			if err != nil {
				return result, err
			}
			result.CompletedConfig = config.Complete()
			break
		}
	}

	port, err := keelson.FreePort()
	if err != nil {
		return result, err
	}
	ca, err := keelson.Serving(dir, "apiserver", "127.0.0.1", fixtures())
	if err != nil {
		return result, err
	}
	tokens := filepath.Join(dir, "keelson-tokens.csv")
	if err := keelson.Tokens(tokens, ""); err != nil {
		return result, err
	}
	flags.Set("token-auth-file", tokens)
	keelson.FinishArgs(&flags)
	t.Logf("Starting keelson on port %d: %q", port, flags.Args())
	name := "apiextensions"
	if n, ok := t.(interface{ Name() string }); ok {
		name = n.Name()
	}
	if server, err = keelson.Start(name, dir, port, flags.Args()); err != nil {
		return result, err
	}
	clientConfig := server.Config(ca, "")
	if err := server.WaitReady(clientConfig, true, time.Minute, "default"); err != nil {
		return result, fmt.Errorf("failed to start keelson: %w", err)
	}
	result.ClientConfig = clientConfig
	result.ServerOpts = s
	result.TearDownFn = tearDown
	return result, nil
}

// StartTestServerOrDie is StartTestServer, and the test ends if that fails.
func StartTestServerOrDie(t Logger, instanceOptions *TestServerInstanceOptions, flags []string, storageConfig *storagebackend.Config) *TestServer {
	result, err := StartTestServer(t, instanceOptions, flags, storageConfig)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &result
}
