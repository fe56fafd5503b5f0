// Package envtest is a suite as operators have it, on controller-runtime's envtest. KUBEBUILDER_ASSETS names the
// programs that it starts.
package envtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	keelson "keelson.test/clients/server"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// start runs an environment until the test ends and returns a client of it.
func start(t *testing.T, environment *envtest.Environment) (client.Client, *rest.Config) {
	t.Helper()
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c, config
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

// TestEnvironments: two at once share nothing, and one that is stopped starts afresh.
func TestEnvironments(t *testing.T) {
	one, _ := start(t, &envtest.Environment{})
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	two, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Create(t.Context(), configMap("a")); err != nil {
		t.Fatal(err)
	}
	absent := func(c client.Client) {
		t.Helper()
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(configMap("a")), configMap("")); !apierrors.IsNotFound(err) {
			t.Fatalf("got %v, want not found", err)
		}
	}
	absent(two)
	if err := two.Create(t.Context(), configMap("a")); err != nil {
		t.Fatal(err)
	}
	if err := environment.Stop(); err != nil {
		t.Fatal(err)
	}
	again, _ := start(t, &envtest.Environment{})
	absent(again)
}

// TestDefinitions: definitions that the environment installs are served when it has started.
func TestDefinitions(t *testing.T) {
	schema := &extensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(bool)}
	*schema.XPreserveUnknownFields = true
	definition := &extensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "greetings.keelson.test"},
		Spec: extensions.CustomResourceDefinitionSpec{
			Group: "keelson.test",
			Scope: extensions.NamespaceScoped,
			Names: extensions.CustomResourceDefinitionNames{Plural: "greetings", Kind: "Greeting"},
			Versions: []extensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &extensions.CustomResourceValidation{OpenAPIV3Schema: schema},
			}},
		},
	}
	c, _ := start(t, &envtest.Environment{CRDs: []*extensions.CustomResourceDefinition{definition}})
	greeting := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "keelson.test/v1", "kind": "Greeting",
		"metadata": map[string]any{"namespace": "default", "name": "hello"},
	}}
	if err := c.Create(t.Context(), greeting); err != nil {
		t.Fatal(err)
	}
}

// TestNoControllers: as in any envtest, nobody empties a namespace, collects garbage or makes service accounts.
func TestNoControllers(t *testing.T) {
	c, _ := start(t, &envtest.Environment{})
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "stays"}}
	for _, do := range []func() error{
		func() error { return c.Create(t.Context(), namespace) },
		func() error { return c.Delete(t.Context(), namespace) },
		func() error { return c.Get(t.Context(), client.ObjectKeyFromObject(namespace), namespace) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	if namespace.Status.Phase != corev1.NamespaceTerminating {
		t.Fatalf("the namespace is %s", namespace.Status.Phase)
	}
	accounts := &corev1.ServiceAccountList{}
	if err := c.List(t.Context(), accounts); err != nil || len(accounts.Items) > 0 {
		t.Fatalf("%v, service accounts: %v", err, accounts.Items)
	}
	keelson.Until(t, "the service kubernetes", func() (bool, error) {
		err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "kubernetes"}, &corev1.Service{})
		return err == nil, err
	})
}

// TestUsers: users that the suite adds have no rights but those they are given, and kubectl works as one of them.
func TestUsers(t *testing.T) {
	environment := &envtest.Environment{}
	start(t, environment)
	user, err := environment.AddUser(envtest.User{Name: "jane"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	jane, err := client.New(user.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := jane.List(t.Context(), &corev1.SecretList{}); !apierrors.IsForbidden(err) {
		t.Fatalf("got %v, want forbidden", err)
	}
	kubectl := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	if _, err := exec.LookPath(kubectl); err != nil {
		t.Skip("kubectl is not installed")
	}
	admin, err := environment.AddUser(envtest.User{Name: "root", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tool, err := admin.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := tool.Run("get", "namespaces", "-o", "name")
	if err != nil {
		t.Fatal(err)
	}
	names := new(strings.Builder)
	buffer := make([]byte, 4096)
	for {
		n, err := out.Read(buffer)
		names.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	if !strings.Contains(names.String(), "namespace/kube-system") {
		t.Fatalf("kubectl said %q", names)
	}
}
