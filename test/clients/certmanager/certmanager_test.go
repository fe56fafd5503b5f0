// Package certmanager has cert-manager's own controllers, its CA injector and its admission webhook, from its module: an
// operator of six definitions and more than a dozen control loops, which writes by update or by server-side apply. They
// run as they do in a cluster, and issue certificates whose keys and signatures are checked.
package certmanager

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/cert-manager/cert-manager/pkg/controller"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	"github.com/cert-manager/cert-manager/pkg/util/feature"
	webhooktest "github.com/cert-manager/cert-manager/test/webhook"

	// What registers itself: controllers, and kinds of issuers.
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificate-shim/ingresses"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/metrics"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificatesigningrequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificatesigningrequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

const (
	operatorNamespace = "cert-manager"
	webhookSecret     = "cert-manager-webhook-ca"
	patience          = time.Minute
)

// cluster is the server under test with cert-manager at work on it.
type cluster struct {
	client.Client
	config *rest.Config
}

// startOperator installs the definitions, then the webhook, the injector and the controllers, each with the rights of an
// administrator.
func startOperator(t *testing.T) *cluster {
	log.SetLogger(zap.New(zap.UseDevMode(true), zap.WriteTo(os.Stderr)))
	kubeconfig := os.Getenv("KUBECONFIG")
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(t, err)
	config.QPS = -1
	kinds := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, certmanagerv1.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme,
	} {
		must(t, add(kinds))
	}
	definitions := filepath.Join(os.Getenv("CERT_MANAGER"), "deploy/crds")
	_, err = envtest.InstallCRDs(config, envtest.CRDInstallOptions{Paths: []string{definitions}})
	must(t, err)
	reader, err := client.New(config, client.Options{Scheme: kinds})
	must(t, err)
	it := &cluster{Client: reader, config: config}
	must(t, it.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}}))

	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	it.startControllers(ctx, t, &running, kubeconfig)
	url := it.startWebhook(t, kubeconfig)
	it.startInjector(ctx, t, &running, kinds)
	it.configureWebhook(t, url)
	return it
}

func (it *cluster) startInjector(ctx context.Context, t *testing.T, running *sync.WaitGroup, kinds *runtime.Scheme) {
	// The injector is the manager of the fields that it applies by this name.
	config := rest.CopyConfig(it.config)
	config.UserAgent = "cert-manager-cainjector/test"
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                  kinds,
		Metrics:                 metricsserver.Options{BindAddress: "0"},
		LeaderElection:          true,
		LeaderElectionID:        "cert-manager-cainjector-leader-election",
		LeaderElectionNamespace: "kube-system",
	})
	must(t, err)
	must(t, cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{
		EnableCertificatesDataSource: true,
		EnabledReconcilersFor: map[string]bool{
			cainjector.MutatingWebhookConfigurationName:   true,
			cainjector.ValidatingWebhookConfigurationName: true,
			cainjector.APIServiceName:                     true,
			cainjector.CustomResourceDefinitionName:       true,
		},
	}))
	running.Go(func() {
		if err := manager.Start(ctx); err != nil {
			t.Error(err)
		}
	})
}

func (it *cluster) startControllers(ctx context.Context, t *testing.T, running *sync.WaitGroup, kubeconfig string) {
	must(t, feature.DefaultMutableFeatureGate.Set(os.Getenv("CERT_MANAGER_GATES")))
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig:         kubeconfig,
		KubernetesAPIQPS:   200,
		KubernetesAPIBurst: 500,
		IssuerOptions:      controller.IssuerOptions{ClusterResourceNamespace: operatorNamespace},
		IngressShimOptions: controller.IngressShimOptions{DefaultIssuerKind: "Issuer"},
		CertificateOptions: controller.CertificateOptions{EnableOwnerRef: true},
	})
	must(t, err)
	common, err := factory.Build()
	must(t, err)
	for name, construct := range controller.Known() {
		loop, err := construct(factory)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		running.Go(func() {
			if err := loop.Run(2, ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	common.SharedInformerFactory.Start(ctx.Done())
	common.KubeSharedInformerFactory.Start(ctx.Done())
	common.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
}

// startWebhook returns the URL of the webhook once it has made its own authority in a Secret. The injector is started
// afterwards: it watches Secrets twice, reads them from one cache when the other reports one, and does not try again if
// that one is behind.
func (it *cluster) startWebhook(t *testing.T, kubeconfig string) string {
	served, stop := webhooktest.StartWebhookServer(t, []string{
		"--kubeconfig=" + kubeconfig,
		"--dynamic-serving-ca-secret-namespace=" + operatorNamespace,
		"--dynamic-serving-ca-secret-name=" + webhookSecret,
		"--dynamic-serving-dns-names=127.0.0.1,localhost",
		"--metrics-listen-address=0",
	})
	t.Cleanup(stop)
	it.eventually(t, "the webhook writes its authority", func(ctx context.Context) bool {
		return it.Get(ctx, client.ObjectKey{Namespace: operatorNamespace, Name: webhookSecret}, &corev1.Secret{}) == nil
	})
	// The certificate is for names, as it is in a cluster.
	return "https://localhost" + served.URL[len("https://127.0.0.1"):]
}

// configureWebhook registers the webhook and waits for the injector to write the authority into the configurations.
func (it *cluster) configureWebhook(t *testing.T, url string) {
	meta := metav1.ObjectMeta{
		Name:        "cert-manager-webhook",
		Annotations: map[string]string{certmanagerv1.WantInjectFromSecretAnnotation: operatorNamespace + "/" + webhookSecret},
	}
	fail, none := admissionv1.Fail, admissionv1.SideEffectClassNone
	rules := func(resources ...string) []admissionv1.RuleWithOperations {
		return []admissionv1.RuleWithOperations{{
			Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
			Rule: admissionv1.Rule{
				APIGroups:   []string{"cert-manager.io"},
				APIVersions: []string{"v1"},
				Resources:   resources,
			},
		}}
	}
	at := func(path string) admissionv1.WebhookClientConfig {
		whole := url + path
		return admissionv1.WebhookClientConfig{URL: &whole}
	}
	must(t, it.Create(t.Context(), &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: *meta.DeepCopy(),
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "webhook.cert-manager.io", ClientConfig: at("/mutate"), Rules: rules("certificaterequests"),
			FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}},
	}))
	must(t, it.Create(t.Context(), &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: meta,
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "webhook.cert-manager.io", ClientConfig: at("/validate"), Rules: rules("*/*"),
			FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}},
	}))
	it.eventually(t, "the injector writes the authority into the configurations", func(ctx context.Context) bool {
		var mutating admissionv1.MutatingWebhookConfiguration
		var validating admissionv1.ValidatingWebhookConfiguration
		named := client.ObjectKey{Name: "cert-manager-webhook"}
		return it.Get(ctx, named, &mutating) == nil && len(mutating.Webhooks[0].ClientConfig.CABundle) > 0 &&
			it.Get(ctx, named, &validating) == nil && len(validating.Webhooks[0].ClientConfig.CABundle) > 0
	})
}

// eventually asks again until it is so.
func (it *cluster) eventually(t *testing.T, what string, so func(context.Context) bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !so(t.Context()) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
