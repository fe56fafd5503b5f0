// Package app has those names of k8s.io/kubernetes/cmd/kube-apiserver/app by which tests build a server of completed
// options, and starts Keelson.
package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	original "k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"keelson.test/keelson"
)

// SetServiceResolverForTests replaces how servers that start from now on find Services, until the returned function is
// called.
func SetServiceResolverForTests(resolver webhook.ServiceResolver) func() {
	if keelson.Control() {
		return original.SetServiceResolverForTests(resolver)
	}
	return keelson.SetServiceResolver(resolver)
}

type Config struct {
	options  options.CompletedOptions
	original *original.Config
}

type CompletedConfig struct {
	options  options.CompletedOptions
	original original.CompletedConfig
}

// APIAggregator is the server; its child is started with its creation.
type APIAggregator struct {
	GenericAPIServer *GenericAPIServer

	server *keelson.Server
	run    func(context.Context) error
}

type GenericAPIServer struct {
	LoopbackClientConfig *rest.Config
}

type PreparedAPIAggregator struct{ run func(context.Context) error }

func NewConfig(opts options.CompletedOptions) (*Config, error) {
	if keelson.Control() {
		c, err := original.NewConfig(opts)
		return &Config{opts, c}, err
	}
	return &Config{options: opts}, nil
}

func (c *Config) Complete() (CompletedConfig, error) {
	if c.original != nil {
		completed, err := c.original.Complete()
		return CompletedConfig{c.options, completed}, err
	}
	return CompletedConfig{options: c.options}, nil
}

// CreateServerChain starts Keelson with the flags that lead to the options.
func CreateServerChain(c CompletedConfig) (*APIAggregator, error) {
	if keelson.Control() {
		s, err := original.CreateServerChain(c.original)
		if err != nil {
			return nil, err
		}
		run := func(ctx context.Context) error {
			prepared, err := s.PrepareRun()
			if err != nil {
				return err
			}
			return prepared.Run(ctx)
		}
		return &APIAggregator{GenericAPIServer: &GenericAPIServer{s.GenericAPIServer.LoopbackClientConfig}, run: run}, nil
	}
	opts := c.options.CompletedOptions.Options
	dir := opts.SecureServing.ServerCert.CertDirectory
	if l := opts.SecureServing.Listener; l != nil {
		l.Close()
	}
	given := options.ServerRunOptions{Options: &opts, Extra: c.options.Extra}
	var flags keelson.Flags
	flags.FromOptions(given.Flags().FlagSets, options.NewServerRunOptions().Flags().FlagSets)
	for _, name := range []string{
		"secure-port", "bind-address", "feature-gates", "emulated-version", "tls-cert-file", "tls-private-key-file",
		"external-hostname", "watch-cache-sizes", "advertise-address", "max-mutating-requests-inflight",
	} {
		flags.Unset(name)
	}
	// The test removes the file as soon as this function has returned.
	for _, name := range []string{"service-account-signing-key-file", "service-account-key-file"} {
		if v := flags.Get(name); len(v) == 1 {
			key, err := os.ReadFile(v[0])
			if err != nil {
				return nil, err
			}
			file := filepath.Join(dir, "service-account.key")
			if err := os.WriteFile(file, key, 0o600); err != nil {
				return nil, err
			}
			flags.Set(name, file)
		}
	}
	if gates := keelson.Gates(utilfeature.DefaultMutableFeatureGate); len(gates) > 0 {
		flags.Set("feature-gates", strings.Join(gates, ","))
	}
	keelson.SetEmulation(&flags, utilfeature.DefaultMutableFeatureGate)
	ca, err := keelson.Serving(dir, "apiserver", "127.0.0.1", "")
	if err != nil {
		return nil, err
	}
	tokens := filepath.Join(dir, "keelson-tokens.csv")
	if err := keelson.Tokens(tokens, opts.Authentication.TokenFile.TokenFile); err != nil {
		return nil, err
	}
	flags.Set("cert-dir", dir)
	flags.Set("token-auth-file", tokens)
	keelson.FinishArgs(&flags)
	port, err := keelson.FreePort()
	if err != nil {
		return nil, err
	}
	server, err := keelson.Start(filepath.Base(dir), dir, port, flags.Args())
	if err != nil {
		return nil, err
	}
	config := server.Config(ca, "")
	if err := server.WaitReady(config, true, time.Minute, "default", "kube-system"); err != nil {
		server.Stop()
		return nil, err
	}
	run := func(ctx context.Context) error {
		<-ctx.Done()
		server.Stop()
		return nil
	}
	return &APIAggregator{GenericAPIServer: &GenericAPIServer{config}, server: server, run: run}, nil
}

func (s *APIAggregator) PrepareRun() (PreparedAPIAggregator, error) {
	return PreparedAPIAggregator{s.run}, nil
}

func (p PreparedAPIAggregator) Run(ctx context.Context) error { return p.run(ctx) }
