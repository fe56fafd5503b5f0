// Package testing has the names of k8s.io/kubernetes/cmd/kube-apiserver/app/testing, and starts Keelson.
package testing

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	basecompatibility "k8s.io/component-base/compatibility"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	original "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	testutil "k8s.io/kubernetes/test/utils"
	"k8s.io/kubernetes/test/utils/ktesting"

	"keelson.test/keelson"
)

func init() { logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged }

type TearDownFunc func()

type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
	BinaryVersion          string
	RequestTimeout         time.Duration
	// DisableInvariantChecks is of later releases.
	DisableInvariantChecks bool
}

type TestServer struct {
	ClientConfig      *restclient.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string

	// Keelson is the child process.
	Keelson *keelson.Server
}

type Logger interface {
	Helper()
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
	Cleanup(func())
}

type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

var cas sync.Map

// newCA makes a certificate authority once per process and name, because making keys takes long.
func newCA(name string) (*x509.Certificate, *rsa.PrivateKey, error) {
	if v, ok := cas.Load(name); ok {
		ca := v.(ProxyCA)
		return ca.ProxySigningCert, ca.ProxySigningKey, nil
	}
	key, err := testutil.NewPrivateKey()
	if err != nil {
		return nil, nil, err
	}
	crt, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err == nil {
		cas.Store(name, ProxyCA{crt, key})
	}
	return crt, key, err
}

// frontProxyClient writes the certificate with which the server identifies itself to aggregated API servers.
func frontProxyClient(dir, name string, ca *x509.Certificate, caKey crypto.Signer) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, SerialNumber: serial, NotBefore: ca.NotBefore, NotAfter: time.Now().Add(1000 * time.Hour),
		KeyUsage: x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, BasicConstraintsValid: true,
	}, ca, key.Public(), caKey)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+"-crt.crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		return err
	}
	keyPEM, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+"-crt.key"), keyPEM, 0o600)
}

func fixtures() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "testdata")
}

// StartTestServer starts Keelson with the flags that the test asks for, on the test's etcd.
func StartTestServer(t ktesting.TB, instanceOptions *TestServerInstanceOptions, customFlags []string, storageConfig *storagebackend.Config) (result TestServer, err error) {
	if keelson.Control() {
		if instanceOptions == nil {
			instanceOptions = NewDefaultTestServerOptions()
		}
		r, err := original.StartTestServer(t, controlOptions(instanceOptions), customFlags, storageConfig)
		return TestServer{ClientConfig: r.ClientConfig, ServerOpts: r.ServerOpts, TearDownFn: TearDownFunc(r.TearDownFn), TmpDir: r.TmpDir, EtcdClient: r.EtcdClient, EtcdStoragePrefix: r.EtcdStoragePrefix}, err
	}
	tCtx, ok := t.(ktesting.TContext)
	if !ok {
		tCtx = ktesting.Init(t)
	}
	if instanceOptions == nil {
		instanceOptions = NewDefaultTestServerOptions()
	}
	if instanceOptions.StorageVersionWrapFunc != nil {
		keelson.NeedsGo(t, "StorageVersionWrapFunc")
	}
	if result.TmpDir, err = os.MkdirTemp("", "kubernetes-kube-apiserver"); err != nil {
		return result, err
	}
	var server *keelson.Server
	closeProxy := func() {}
	tearDown := func() {
		tCtx.Cancel("tearing down")
		server.Stop()
		closeProxy()
		os.RemoveAll(result.TmpDir)
	}
	defer func() {
		if result.TearDownFn == nil {
			tearDown()
		}
	}()
	dir := result.TmpDir

	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	version := compatibility.DefaultKubeEffectiveVersionForTest()
	if instanceOptions.BinaryVersion != "" {
		version = basecompatibility.NewEffectiveVersionFromString(instanceOptions.BinaryVersion, "", "")
	}
	version.SetEmulationVersion(gate.EmulationVersion())
	registry := basecompatibility.NewComponentGlobalsRegistry()
	if err := registry.Register(basecompatibility.DefaultKubeComponent, version, gate); err != nil {
		return result, err
	}
	s := options.NewServerRunOptions()
	s.GenericServerRunOptions.ComponentGlobalsRegistry = registry
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, f := range s.Flags().FlagSets {
		fs.AddFlagSet(f)
	}

	port, err := keelson.FreePort()
	if err != nil {
		return result, err
	}
	s.SecureServing.BindPort = port
	s.SecureServing.ServerCert.CertDirectory = dir
	s.SecureServing.ServerCert.CertKey.CertFile = filepath.Join(dir, "apiserver.crt")
	s.SecureServing.ServerCert.CertKey.KeyFile = filepath.Join(dir, "apiserver.key")
	s.SecureServing.ExternalAddress = net.ParseIP("127.0.0.1")
	s.GenericServerRunOptions.AdvertiseAddress = net.ParseIP("127.0.0.1")
	s.ServiceClusterIPRanges = "10.0.0.0/16"
	s.Etcd.StorageConfig = *storageConfig

	var flags keelson.Flags
	flags.Set("cert-dir", dir)
	flags.Set("service-cluster-ip-range", "10.0.0.0/16")
	flags.Set("etcd-servers", strings.Join(storageConfig.Transport.ServerList, ","))
	if storageConfig.Prefix != "" {
		flags.Set("etcd-prefix", storageConfig.Prefix)
	}
	for name, file := range map[string]string{"etcd-certfile": storageConfig.Transport.CertFile, "etcd-keyfile": storageConfig.Transport.KeyFile, "etcd-cafile": storageConfig.Transport.TrustedCAFile} {
		if file != "" {
			flags.Set(name, file)
		}
	}
	if instanceOptions.RequestTimeout > 0 {
		s.GenericServerRunOptions.RequestTimeout = instanceOptions.RequestTimeout
		flags.Set("request-timeout", instanceOptions.RequestTimeout.String())
	}

	ca, err := keelson.Serving(dir, "apiserver", "127.0.0.1", fixtures())
	if err != nil {
		return result, err
	}

	if instanceOptions.EnableCertAuth {
		var proxy ProxyCA
		if instanceOptions.ProxyCA != nil {
			proxy = *instanceOptions.ProxyCA
		} else if proxy.ProxySigningCert, proxy.ProxySigningKey, err = newCA("front-proxy-ca"); err != nil {
			return result, err
		}
		proxyCA := filepath.Join(dir, "proxy-ca.crt")
		if err := os.WriteFile(proxyCA, testutil.EncodeCertPEM(proxy.ProxySigningCert), 0o644); err != nil {
			return result, err
		}
		if err := frontProxyClient(dir, "misty", proxy.ProxySigningCert, proxy.ProxySigningKey); err != nil {
			return result, err
		}
		flags.Set("requestheader-client-ca-file", proxyCA)
		flags.Set("requestheader-allowed-names", "ash,misty,brock")
		flags.Set("requestheader-username-headers", "x-remote-user")
		flags.Set("requestheader-group-headers", "x-remote-group")
		flags.Set("requestheader-extra-headers-prefix", "x-remote-extra-")
		flags.Set("proxy-client-cert-file", filepath.Join(dir, "misty-crt.crt"))
		flags.Set("proxy-client-key-file", filepath.Join(dir, "misty-crt.key"))
		clientCA, _, err := newCA("client-ca")
		if err != nil {
			return result, err
		}
		file := filepath.Join(dir, "client-ca.crt")
		if err := os.WriteFile(file, testutil.EncodeCertPEM(clientCA), 0o644); err != nil {
			return result, err
		}
		flags.Set("client-ca-file", file)
	}

	if err := fs.Parse(customFlags); err != nil {
		return result, err
	}
	flags.FromArgs(customFlags, fs)
	if err := registry.Set(); err != nil {
		return result, err
	}
	if instanceOptions.EnableCertAuth && gate.Enabled("UnknownVersionInteroperabilityProxy") {
		for name, value := range map[string]string{"peer-ca-file": filepath.Join(dir, "apiserver.crt"), "peer-advertise-ip": "127.0.0.1", "peer-advertise-port": fmt.Sprint(port)} {
			if !flags.Has(name) {
				flags.Set(name, value)
			}
		}
	}
	if !gate.EmulationVersion().EqualTo(utilfeature.DefaultMutableFeatureGate.EmulationVersion()) {
		featuregatetesting.SetFeatureGateEmulationVersionDuringTest(t, utilfeature.DefaultMutableFeatureGate, version.EmulationVersion())
	}
	keelson.SetGates(t, gate)

	// A server builds CEL's environment by its gates when it starts, and tests look at the one of their process.
	buildEnvironment()

	flags.Unset("feature-gates")
	if gates := keelson.Gates(gate); len(gates) > 0 {
		flags.Set("feature-gates", strings.Join(gates, ","))
	}
	if binary := compatibility.DefaultKubeEffectiveVersionForTest().BinaryVersion(); !gate.EmulationVersion().EqualTo(binary) {
		if !flags.Has("emulated-version") {
			flags.Set("emulated-version", fmt.Sprintf("kube=%d.%d", gate.EmulationVersion().Major(), gate.EmulationVersion().Minor()))
		}
		flags.Set("runtime-config-emulation-forward-compatible", "true")
	}
	saKey := filepath.Join(dir, "insecure_test_key")
	if err := keelson.SigningKey(saKey); err != nil {
		return result, err
	}
	s.ServiceAccountSigningKeyFile = saKey
	s.Authentication.ServiceAccounts.Issuers = []string{"https://foo.bar.example.com"}
	s.Authentication.ServiceAccounts.KeyFiles = []string{saKey}
	flags.Set("service-account-signing-key-file", saKey)
	flags.Set("service-account-issuer", "https://foo.bar.example.com")
	flags.Set("service-account-key-file", saKey)

	other := ""
	if v := flags.Get("token-auth-file"); len(v) > 0 {
		other = v[len(v)-1]
	}
	tokens := filepath.Join(dir, "keelson-tokens.csv")
	if err := keelson.Tokens(tokens, other); err != nil {
		return result, err
	}
	flags.Set("token-auth-file", tokens)
	serverName := ""
	if flags.Has("tls-cert-file") {
		serverName = keelson.LoopbackName
		if ca, err = keelson.Serving(dir, "keelson-loopback", serverName, fixtures()); err != nil {
			return result, err
		}
		flags.Set("tls-sni-cert-key", append(flags.Get("tls-sni-cert-key"), filepath.Join(dir, "keelson-loopback.crt")+","+filepath.Join(dir, "keelson-loopback.key")+":"+serverName)...)
	}
	if closeProxy, err = keelson.ResolveServices(&flags, dir); err != nil {
		return result, err
	}
	keelson.FinishArgs(&flags)

	t.Logf("Starting keelson on port %d: %q", port, flags.Args())
	if server, err = keelson.Start(t.Name(), dir, port, flags.Args()); err != nil {
		return result, err
	}
	config := server.Config(ca, serverName)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.DisableCompression = true
	if err := server.WaitReady(config, !instanceOptions.SkipHealthzCheck, time.Minute, "default"); err != nil {
		return result, fmt.Errorf("failed to start keelson: %w", err)
	}
	etcdClient, _, err := GetEtcdClients(storageConfig.Transport)
	if err != nil {
		return result, err
	}
	config.QPS, config.Burst = 1000, 10000
	result.ClientConfig = config
	result.ServerOpts = s
	result.TearDownFn = func() {
		tearDown()
		etcdClient.Close()
	}
	result.EtcdClient = etcdClient
	result.EtcdStoragePrefix = storageConfig.Prefix
	result.Keelson = server
	return result, nil
}

// GetEtcdClients connects to etcd.
func GetEtcdClients(config storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	var tlsConfig *tls.Config
	if config.CertFile+config.KeyFile+config.TrustedCAFile != "" {
		var err error
		if tlsConfig, err = (transport.TLSInfo{CertFile: config.CertFile, KeyFile: config.KeyFile, TrustedCAFile: config.TrustedCAFile}).ClientConfig(); err != nil {
			return nil, nil, err
		}
	}
	c, err := clientv3.New(clientv3.Config{Endpoints: config.ServerList, DialTimeout: 20 * time.Second, DialOptions: []grpc.DialOption{grpc.WithBlock()}, TLS: tlsConfig})
	if err != nil {
		return nil, nil, err
	}
	return c, clientv3.NewKV(c), nil
}

// StartTestServerOrDie is StartTestServer, and the test ends if that fails.
func StartTestServerOrDie(t testing.TB, instanceOptions *TestServerInstanceOptions, flags []string, storageConfig *storagebackend.Config) *TestServer {
	result, err := StartTestServer(t, instanceOptions, flags, storageConfig)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &result
}
