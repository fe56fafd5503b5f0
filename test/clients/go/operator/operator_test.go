package operator

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	keelson "keelson.test/clients/server"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// TestOperator: two instances of an operator, one of them leading, work for greetings while the server restarts.
func TestOperator(t *testing.T) {
	ctrl.SetLogger(klog.Background())
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, extensions.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	addToScheme(scheme)
	rest := keelson.Config(t)
	c, err := client.New(rest, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	ns := keelson.Namespace(t, kubernetes.NewForConfigOrDie(rest))
	install(t, c)

	first, resign := context.WithCancel(t.Context())
	one, oneEnded := start(t, first, rest, scheme, ns, "one")
	greet(t, c, ns, "early")
	settled(t, c, ns, "early", 1, "by one")
	two, twoEnded := start(t, t.Context(), rest, scheme, ns, "two")

	change(t, c, ns, "early")
	settled(t, c, ns, "early", 2, "by one")
	keelson.Restart(t, "stop")
	greet(t, c, ns, "after-stop")
	settled(t, c, ns, "after-stop", 1, "by one")
	keelson.Restart(t, "kill")
	greet(t, c, ns, "after-kill")
	settled(t, c, ns, "after-kill", 1, "by one")

	resign()
	<-oneEnded
	greet(t, c, ns, "late")
	settled(t, c, ns, "late", 1, "by two")
	say(t, c, ns, "early")
	keelson.Until(t, "farewell has been said once", func() (bool, error) {
		var said int
		two.note(func() { said = two.farewells["early"] })
		return said == 1, nil
	})
	one.note(func() {
		if one.greeted["late"] {
			t.Error("who had resigned went on")
		}
	})
	t.Cleanup(func() { <-twoEnded })
}

func install(t *testing.T, c client.Client) {
	t.Helper()
	if err := c.Create(t.Context(), definition()); err != nil {
		t.Fatal(err)
	}
	keelson.Until(t, "the definition is established", func() (bool, error) {
		found := &extensions.CustomResourceDefinition{}
		err := c.Get(t.Context(), client.ObjectKeyFromObject(definition()), found)
		for _, condition := range found.Status.Conditions {
			if condition.Type == extensions.Established && condition.Status == extensions.ConditionTrue {
				return true, err
			}
		}
		return false, err
	})
}

// start runs an instance of the operator until its context ends; the channel closes when it has ended.
func start(t *testing.T, ctx context.Context, rest *rest.Config, scheme *runtime.Scheme, ns, name string) (*reconciler, <-chan error) {
	t.Helper()
	manager, err := ctrl.NewManager(rest, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{ns: {}}},
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "greeter.demo.example.com",
		LeaderElectionNamespace:       ns,
		LeaderElectionReleaseOnCancel: true,
		// Long enough for a restart on a slow machine.
		LeaseDuration: ptr.To(20 * time.Second),
		RenewDeadline: ptr.To(15 * time.Second),
		RetryPeriod:   ptr.To(time.Second),
		Controller:    config.Controller{SkipNameValidation: ptr.To(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := newReconciler(manager, name)
	err = ctrl.NewControllerManagedBy(manager).For(&Greeting{}).Owns(&corev1.ConfigMap{}).Complete(r)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		defer close(ended)
		if err := manager.Start(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}()
	return r, ended
}

func greet(t *testing.T, c client.Client, ns, name string) {
	t.Helper()
	greeting := &Greeting{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}, Spec: GreetingSpec{Name: "you"}}
	if err := c.Create(t.Context(), greeting); err != nil {
		t.Fatal(err)
	}
	if greeting.Spec.Times != 1 {
		t.Errorf("not defaulted: %+v", greeting.Spec)
	}
}

func change(t *testing.T, c client.Client, ns, name string) {
	t.Helper()
	greeting := &Greeting{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"times":3}}`))
	if err := c.Patch(t.Context(), greeting, patch); err != nil {
		t.Fatal(err)
	}
}

// settled waits until a generation is reported as done, and checks the config map.
func settled(t *testing.T, c client.Client, ns, name string, generation int64, message string) {
	t.Helper()
	key := client.ObjectKey{Namespace: ns, Name: name}
	var greeting Greeting
	keelson.Until(t, name+" is settled", func() (bool, error) {
		err := c.Get(t.Context(), key, &greeting)
		ready := meta.FindStatusCondition(greeting.Status.Conditions, "Ready")
		return ready != nil && ready.ObservedGeneration == generation && ready.Message == message, err
	})
	var card corev1.ConfigMap
	if err := c.Get(t.Context(), key, &card); err != nil {
		t.Fatal(err)
	}
	owner := metav1.GetControllerOf(&card)
	if owner == nil || owner.UID != greeting.UID || len(card.Data["text"]) != len("Hello you. ")*greeting.Spec.Times {
		t.Errorf("%s: %v %q", name, owner, card.Data["text"])
	}
}

// say farewell: the finalizer is run, and what the greeting owned goes with it.
func say(t *testing.T, c client.Client, ns, name string) {
	t.Helper()
	greeting := &Greeting{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}}
	if err := c.Delete(t.Context(), greeting); err != nil {
		t.Fatal(err)
	}
	key := client.ObjectKey{Namespace: ns, Name: name}
	for what, object := range map[string]client.Object{"greeting": greeting, "config map": &corev1.ConfigMap{}} {
		keelson.Until(t, "the "+what+" is gone", func() (bool, error) {
			err := c.Get(t.Context(), key, object)
			return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
		})
	}
}
