package clientgo

import (
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"keelson.test/clients/server"
)

// told is what an informer said, by the names of objects.
type told struct {
	sync.Mutex
	added, updated, deleted map[string]int
}

func (s *told) handler() cache.ResourceEventHandlerFuncs {
	count := func(counts map[string]int, object any) {
		s.Lock()
		defer s.Unlock()
		if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = tombstone.Obj
		}
		// Every namespace gets one with the certificates of the server.
		if name := object.(metav1.Object).GetName(); name != "kube-root-ca.crt" {
			counts[name]++
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { count(s.added, object) },
		UpdateFunc: func(old, object any) {
			// A resync or a new list says the same again.
			if old.(metav1.Object).GetResourceVersion() != object.(metav1.Object).GetResourceVersion() {
				count(s.updated, object)
			}
		},
		DeleteFunc: func(object any) { count(s.deleted, object) },
	}
}

// TestInformersThroughRestarts keeps shared informers true while the server is stopped, and killed, under them.
func TestInformersThroughRestarts(t *testing.T) {
	config := server.Config(t)
	config.ContentType = protobuf
	c := kubernetes.NewForConfigOrDie(config)
	ns := server.Namespace(t, c)
	factory := informers.NewSharedInformerFactoryWithOptions(c, 0, informers.WithNamespace(ns))
	maps := factory.Core().V1().ConfigMaps()
	secrets := factory.Core().V1().Secrets()
	deployments := factory.Apps().V1().Deployments()
	seen := &told{added: map[string]int{}, updated: map[string]int{}, deleted: map[string]int{}}
	if _, err := maps.Informer().AddEventHandler(seen.handler()); err != nil {
		t.Fatal(err)
	}
	secrets.Informer()
	deployments.Informer()
	// Enough that a list comes in pages, where it does.
	for index := range 700 {
		create(t, c, ns, fmt.Sprintf("first-%d", index))
	}
	factory.Start(t.Context().Done())
	for kind, synced := range factory.WaitForCacheSync(t.Context().Done()) {
		if !synced {
			t.Fatalf("%v is not synced", kind)
		}
	}
	if first, err := maps.Lister().ConfigMaps(ns).Get("first-699"); err != nil || first.Data["of"] != "first-699" {
		t.Fatalf("the lister has not what was there: %v", err)
	}
	knows := func(name string, present bool) {
		t.Helper()
		server.Until(t, name, func() (bool, error) {
			_, err := maps.Lister().ConfigMaps(ns).Get(name)
			return (err == nil) == present, nil
		})
	}
	for _, how := range []string{"stop", "kill"} {
		create(t, c, ns, "before-"+how)
		knows("before-"+how, true)
		server.Restart(t, how)
		create(t, c, ns, "after-"+how)
		knows("after-"+how, true)
		remove(t, c, ns, "before-"+how)
		knows("before-"+how, false)
	}
	seen.Lock()
	defer seen.Unlock()
	for name, times := range seen.added {
		if times != 1 {
			t.Errorf("%s was added %d times", name, times)
		}
	}
	if len(seen.added) != 704 || len(seen.updated) != 0 || len(seen.deleted) != 2 {
		t.Errorf("added %d, updated %v, deleted %v", len(seen.added), seen.updated, seen.deleted)
	}
}

func create(t *testing.T, c kubernetes.Interface, ns, name string) {
	t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"of": name}}
	if _, err := c.CoreV1().ConfigMaps(ns).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, c kubernetes.Interface, ns, name string) {
	t.Helper()
	if err := c.CoreV1().ConfigMaps(ns).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}
