package framework

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	genericapiserveroptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	basecompatibility "k8s.io/component-base/compatibility"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	original "k8s.io/kubernetes/test/integration/framework"
	"k8s.io/kubernetes/test/utils"
	netutils "k8s.io/utils/net"

	"keelson.test/keelson"
)

// TestServerSetup holds what a test changes of the server.
type TestServerSetup struct {
	ModifyServerRunOptions func(*options.ServerRunOptions)
	ModifyServerConfig     func(*controlplane.Config)
	// DisableInvariantChecks is of later releases.
	DisableInvariantChecks bool
}

type TearDownFunc func()

// dummyToken is sent where a test's authenticator does not look at the request.
const dummyToken = "keelson-integration-any-token"

// ownAuthn and ownAuthz stand for the server's own authenticator and authorizer in what a test builds around them.
type ownAuthn struct{}

func (*ownAuthn) AuthenticateRequest(*http.Request) (*authenticator.Response, bool, error) {
	return nil, false, nil
}

type ownAuthz struct {
	authorizer.RuleResolver
	asked *bool
}

func (o *ownAuthz) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	if o.asked != nil {
		*o.asked = true
	}
	return authorizer.DecisionNoOpinion, "", nil
}

func fixtures() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "testdata")
}

var cas sync.Map

// writeCA makes a certificate authority once per process and name, because making keys takes long.
func writeCA(dir, name string) (string, error) {
	if _, ok := cas.Load(name); !ok {
		key, err := utils.NewPrivateKey()
		if err != nil {
			return "", err
		}
		crt, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
		if err != nil {
			return "", err
		}
		cas.Store(name, utils.EncodeCertPEM(crt))
	}
	pem, _ := cas.Load(name)
	file := filepath.Join(dir, name+".crt")
	return file, os.WriteFile(file, pem.([]byte), 0o644)
}

// StartTestServer starts Keelson as the test wants kube-apiserver.
func StartTestServer(ctx context.Context, t testing.TB, setup TestServerSetup) (client.Interface, *rest.Config, TearDownFunc) {
	if keelson.Control() {
		c, config, stop := original.StartTestServer(ctx, t, controlSetup(setup))
		return c, config, TearDownFunc(stop)
	}
	ctx, cancel := context.WithCancel(ctx)
	dir, err := os.MkdirTemp("", "test-integration-"+strings.ReplaceAll(t.Name(), "/", "_"))
	if err != nil {
		t.Fatal(err)
	}
	var server *keelson.Server
	var closers []func()
	tearDown := func() {
		cancel()
		server.Stop()
		for _, c := range closers {
			c()
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	}
	ready := false
	defer func() {
		if !ready {
			tearDown()
		}
	}()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	proxyCA, err := writeCA(dir, "front-proxy-ca")
	must(err)
	clientCA, err := writeCA(dir, "client-ca")
	must(err)
	saKey := filepath.Join(dir, "insecure_test_key")
	must(keelson.SigningKey(saKey))

	opts := options.NewServerRunOptions()
	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	version := compatibility.DefaultKubeEffectiveVersionForTest()
	version.SetEmulationVersion(gate.EmulationVersion())
	registry := basecompatibility.NewComponentGlobalsRegistry()
	must(registry.Register(basecompatibility.DefaultKubeComponent, version, gate))
	opts.GenericServerRunOptions.ComponentGlobalsRegistry = registry

	// Flags are bound to the options before they change, so that what changed can be told by the flags.
	bound := opts.Flags()

	listener, _, err := genericapiserveroptions.CreateListener("tcp", "127.0.0.1:0", net.ListenConfig{})
	must(err)
	defer listener.Close()
	opts.SecureServing.Listener = listener
	opts.SecureServing.BindAddress = netutils.ParseIPSloppy("127.0.0.1")
	opts.SecureServing.ServerCert.CertDirectory = dir
	opts.ServiceAccountSigningKeyFile = saKey
	opts.Etcd.StorageConfig.Prefix = path.Join("/", uuid.New().String(), "registry")
	opts.Etcd.StorageConfig.Transport.ServerList = []string{GetEtcdURL()}
	opts.ServiceClusterIPRanges = "10.0.0.0/24"
	opts.Authentication.RequestHeader.UsernameHeaders = []string{"X-Remote-User"}
	opts.Authentication.RequestHeader.GroupHeaders = []string{"X-Remote-Group"}
	opts.Authentication.RequestHeader.ExtraHeaderPrefixes = []string{"X-Remote-Extra-"}
	opts.Authentication.RequestHeader.AllowedNames = []string{"kube-aggregator"}
	opts.Authentication.RequestHeader.ClientCAFile = proxyCA
	opts.Authentication.APIAudiences = []string{"https://foo.bar.example.com"}
	opts.Authentication.ServiceAccounts.Issuers = []string{"https://foo.bar.example.com"}
	opts.Authentication.ServiceAccounts.KeyFiles = []string{saKey}
	opts.Authentication.ClientCert.ClientCA = clientCA
	opts.Authorization.Modes = []string{"Node", "RBAC"}
	bodyLimit := opts.GenericServerRunOptions.MaxRequestBodyBytes

	if setup.ModifyServerRunOptions != nil {
		setup.ModifyServerRunOptions(opts)
	}
	if opts.GenericServerRunOptions.MaxRequestBodyBytes != bodyLimit {
		t.Logf("NOT-CARRIED: MaxRequestBodyBytes=%d has no flag", opts.GenericServerRunOptions.MaxRequestBodyBytes)
	}
	if !gate.EmulationVersion().EqualTo(utilfeature.DefaultMutableFeatureGate.EmulationVersion()) {
		featuregatetesting.SetFeatureGateEmulationVersionDuringTest(t, utilfeature.DefaultMutableFeatureGate, version.EmulationVersion())
	}
	keelson.SetGates(t, gate)

	var flags keelson.Flags
	collect := func() {
		// A test may replace whole groups of options, to which the flags are not bound: look at the new ones, too.
		plainOptions := options.NewServerRunOptions()
		plainOptions.GenericServerRunOptions.ComponentGlobalsRegistry = registry
		plainSets := plainOptions.Flags()
		plain := map[string]string{}
		for _, fs := range plainSets.FlagSets {
			for _, fl := range allFlags(fs) {
				plain[fl.Name] = fl.Value.String()
			}
		}
		for _, fs := range bound.FlagSets {
			for _, fl := range allFlags(fs) {
				if fl.Value.String() != plain[fl.Name] {
					flags.Set(fl.Name, keelson.ValuesOf(fl)...)
				}
			}
		}
		again := *opts
		for _, fs := range again.Flags().FlagSets {
			for _, fl := range allFlags(fs) {
				if fl.DefValue != plain[fl.Name] && fl.Value.String() == fl.DefValue {
					flags.Set(fl.Name, keelson.ValuesOf(fl)...)
				}
			}
		}
	}
	collect()
	for _, name := range []string{"secure-port", "bind-address", "feature-gates", "emulated-version", "tls-sni-cert-key", "cert-dir", "external-hostname", "log-flush-frequency", "contention-profiling", "min-compatibility-version", "oidc-groups-claim"} {
		flags.Unset(name)
	}
	for _, sni := range opts.SecureServing.SNICertKeys {
		v := sni.CertFile + "," + sni.KeyFile
		if len(sni.Names) > 0 {
			v += ":" + strings.Join(sni.Names, ",")
		}
		flags.Set("tls-sni-cert-key", append(flags.Get("tls-sni-cert-key"), v)...)
	}
	flags.Set("cert-dir", dir)

	config := &rest.Config{BearerToken: keelson.Token}
	var plugins admission.Interface
	if setup.ModifyServerConfig != nil {
		completed, err := opts.Complete(ctx)
		must(err)
		generic, informers, storage, err := buildGenericConfig(completed.CompletedOptions, []*apiruntime.Scheme{legacyscheme.Scheme, apiextensionsapiserver.Scheme, aggregatorscheme.Scheme})
		must(err)
		cp, _, _, err := app.CreateKubeAPIServerConfig(completed, generic, informers, storage)
		must(err)
		g := cp.ControlPlane.Generic
		authn, authz := &ownAuthn{}, &ownAuthz{RuleResolver: g.RuleResolver}
		g.Authentication.Authenticator, g.Authorization.Authorizer = authn, authz
		chain, audit, openapi := g.AdmissionControl, g.AuditBackend, g.OpenAPIConfig
		expiration, extend, repair := cp.ControlPlane.Extra.ServiceAccountMaxExpiration, cp.ControlPlane.Extra.ExtendExpiration, cp.Extra.RepairServicesInterval
		resources := cp.ControlPlane.Extra.APIResourceConfigSource
		setup.ModifyServerConfig(cp)
		if fmt.Sprintf("%p", g.AdmissionControl) != fmt.Sprintf("%p", chain) {
			// They replace those of the server.
			flags.Unset("enable-admission-plugins")
			flags.Unset("disable-admission-plugins")
			if own := ownPlugin(g.AdmissionControl); own != "" {
				flags.Set("admission-control", own)
			} else {
				plugins = g.AdmissionControl
				flags.Set("admission-control", "MutatingAdmissionWebhook")
			}
		}
		if g.AuditBackend != audit {
			stop, err := serveAudit(&flags, dir, g.AuditBackend, g.AuditPolicyRuleEvaluator)
			closers = append(closers, stop)
			must(err)
		}
		if g.OpenAPIConfig != openapi {
			keelson.NeedsGo(t, "OpenAPI definitions of the test's process")
		}
		if cp.Extra.RepairServicesInterval != repair {
			t.Logf("NOT-CARRIED: RepairServicesInterval has no flag")
		}
		if v := string(cp.Extra.EndpointReconcilerType); v == "none" {
			flags.Set("endpoint-reconciler-type", v)
		}
		if cp.ControlPlane.Extra.ServiceAccountMaxExpiration != expiration {
			flags.Set("service-account-max-token-expiration", cp.ControlPlane.Extra.ServiceAccountMaxExpiration.String())
		}
		if cp.ControlPlane.Extra.ExtendExpiration != extend {
			flags.Set("service-account-extend-token-expiration", fmt.Sprint(cp.ControlPlane.Extra.ExtendExpiration))
		}
		if rc := runtimeConfig(resources, cp.ControlPlane.Extra.APIResourceConfigSource); rc != "" {
			if v := flags.Get("runtime-config"); len(v) > 0 {
				rc = strings.Join(append(v, rc), ",")
			}
			flags.Set("runtime-config", rc)
		}
		if g.LoopbackClientConfig.BearerToken == "" {
			config.BearerToken = dummyToken
		}
		if a := g.Authentication.Authenticator; a != authenticator.Request(authn) {
			url, stop := serveTokenReviews(a, g.Authentication.APIAudiences != nil)
			closers = append(closers, stop)
			file := filepath.Join(dir, "authn-webhook.kubeconfig")
			must(writeKubeconfig(file, url))
			flags.Set("authentication-token-webhook-config-file", file)
			flags.Set("authentication-token-webhook-version", "v1")
			flags.Set("authentication-token-webhook-cache-ttl", "0s")
		}
		if a := g.Authorization.Authorizer; a != authorizer.Authorizer(authz) {
			url, stop := serveAccessReviews(a)
			closers = append(closers, stop)
			file := filepath.Join(dir, "authz-webhook.kubeconfig")
			must(writeKubeconfig(file, url))
			// The server's own modes come after the test's authorizer, if that was built around them.
			modes := []string{"Webhook"}
			asked := false
			authz.asked = &asked
			_, _, _ = a.Authorize(ctx, &authorizer.AttributesRecord{User: &user.DefaultInfo{Name: "nobody"}, Verb: "get", Path: "/nothing"})
			authz.asked = nil
			if asked {
				modes = append(modes, opts.Authorization.Modes...)
			}
			flags.Set("authorization-mode", modes...)
			flags.Set("authorization-webhook-config-file", file)
			flags.Set("authorization-webhook-version", "v1")
			flags.Set("authorization-webhook-cache-authorized-ttl", "0s")
			flags.Set("authorization-webhook-cache-unauthorized-ttl", "0s")
		}
	}

	if gates := keelson.Gates(gate); len(gates) > 0 {
		flags.Set("feature-gates", strings.Join(gates, ","))
	}
	if binary := compatibility.DefaultKubeEffectiveVersionForTest().BinaryVersion(); !gate.EmulationVersion().EqualTo(binary) {
		flags.Set("emulated-version", fmt.Sprintf("kube=%d.%d", gate.EmulationVersion().Major(), gate.EmulationVersion().Minor()))
	}
	ca, err := keelson.Serving(dir, "apiserver", "127.0.0.1", fixtures())
	must(err)
	serverName := ""
	if flags.Has("tls-cert-file") && setup.ModifyServerConfig == nil {
		serverName = keelson.LoopbackName
		ca, err = keelson.Serving(dir, "keelson-loopback", serverName, fixtures())
		must(err)
		flags.Set("tls-sni-cert-key", append(flags.Get("tls-sni-cert-key"), filepath.Join(dir, "keelson-loopback.crt")+","+filepath.Join(dir, "keelson-loopback.key")+":"+serverName)...)
	} else {
		flags.Unset("tls-cert-file")
		flags.Unset("tls-private-key-file")
	}
	tokens := filepath.Join(dir, "keelson-tokens.csv")
	must(keelson.Tokens(tokens, opts.Authentication.TokenFile.TokenFile))
	flags.Set("token-auth-file", tokens)
	keelson.FinishArgs(&flags)

	number, err := keelson.FreePort()
	must(err)
	t.Logf("Starting keelson on port %d: %q", number, flags.Args())
	server, err = keelson.Start(t.Name(), dir, number, flags.Args())
	must(err)
	token := config.BearerToken
	config = server.Config(ca, serverName)
	must(server.WaitReady(config, true, 2*time.Minute, "default", "kube-system"))
	config.BearerToken = token
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.DisableCompression = true
	if serverName == "" {
		config.CAFile, config.CAData = filepath.Join(dir, "apiserver.crt"), nil
	}
	clientset, err := client.NewForConfig(config)
	must(err)
	if plugins != nil {
		stop, err := serveAdmission(ctx, clientset, plugins)
		closers = append(closers, stop)
		must(err)
	}
	ready = true
	return clientset, config, tearDown
}

func writeKubeconfig(file, url string) error {
	return os.WriteFile(file, []byte(fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","clusters":[{"name":"c","cluster":{"server":%q}}],"users":[{"name":"u","user":{}}],"contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}],"current-context":"x"}`, url)), 0o600)
}

// serveTokenReviews lets the server ask the test's authenticator.
func serveTokenReviews(a authenticator.Request, audiences bool) (string, func()) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review authenticationv1.TokenReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		req, _ := http.NewRequest("GET", "https://127.0.0.1/", nil)
		req.Header.Set("Authorization", "Bearer "+review.Spec.Token)
		if audiences {
			req = req.WithContext(authenticator.WithAudiences(req.Context(), review.Spec.Audiences))
		}
		res, ok, err := a.AuthenticateRequest(req)
		review.Status = authenticationv1.TokenReviewStatus{Authenticated: ok && err == nil}
		if err != nil {
			review.Status.Error = err.Error()
		}
		if ok && res != nil && res.User != nil {
			review.Status.User = authenticationv1.UserInfo{Username: res.User.GetName(), UID: res.User.GetUID(), Groups: res.User.GetGroups()}
			if extra := res.User.GetExtra(); extra != nil {
				review.Status.User.Extra = map[string]authenticationv1.ExtraValue{}
				for k, v := range extra {
					review.Status.User.Extra[k] = v
				}
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	}))
	return s.URL, s.Close
}

// serveAccessReviews lets the server ask the test's authorizer.
func serveAccessReviews(a authorizer.Authorizer) (string, func()) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review authorizationv1.SubjectAccessReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		info := &user.DefaultInfo{Name: review.Spec.User, UID: review.Spec.UID, Groups: review.Spec.Groups}
		if review.Spec.Extra != nil {
			info.Extra = map[string][]string{}
			for k, v := range review.Spec.Extra {
				info.Extra[k] = v
			}
		}
		record := &authorizer.AttributesRecord{User: info}
		if ra := review.Spec.ResourceAttributes; ra != nil {
			record.ResourceRequest = true
			record.Verb, record.Namespace, record.APIGroup, record.APIVersion = ra.Verb, ra.Namespace, ra.Group, ra.Version
			record.Resource, record.Subresource, record.Name = ra.Resource, ra.Subresource, ra.Name
		} else if na := review.Spec.NonResourceAttributes; na != nil {
			record.Verb, record.Path = na.Verb, na.Path
		}
		decision, reason, err := a.Authorize(r.Context(), record)
		review.Status = authorizationv1.SubjectAccessReviewStatus{Allowed: decision == authorizer.DecisionAllow, Denied: decision == authorizer.DecisionDeny, Reason: reason}
		if err != nil {
			review.Status.EvaluationError = err.Error()
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	}))
	return s.URL, s.Close
}
