package clientgo

import (
	"os"
	"context"
	"testing"

	openapiv2 "github.com/google/gnostic-models/openapiv2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/pager"
	"keelson.test/clients/server"
)

// TestDiscovery finds out what is served, by the aggregated documents and by the old ones.
func TestDiscovery(t *testing.T) {
	client := discovery.NewDiscoveryClientForConfigOrDie(server.Config(t))
	for name, legacy := range map[string]bool{"aggregated": false, "one document a version": true} {
		t.Run(name, func(t *testing.T) {
			client.UseLegacyDiscovery = legacy
			groups, resources, err := client.ServerGroupsAndResources()
			if err != nil || len(groups) < 20 {
				t.Fatalf("%d groups, %v", len(groups), err)
			}
			count := 0
			for _, list := range resources {
				count += len(list.APIResources)
			}
			if count < 80 {
				t.Errorf("%d resources", count)
			}
			mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
			mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "apps", Kind: "Deployment"})
			if err != nil || mapping.Resource.Resource != "deployments" || mapping.Scope.Name() != "namespace" {
				t.Errorf("%+v %v", mapping, err)
			}
			short := restmapper.NewShortcutExpander(mapper, memory.NewMemCacheClient(client), nil)
			if kind, err := short.KindFor(schema.GroupVersionResource{Resource: "deploy"}); err != nil || kind.Kind != "Deployment" {
				t.Errorf("%v %v", kind, err)
			}
		})
	}
}

// TestDocuments reads the descriptions of all types.
func TestDocuments(t *testing.T) {
	client := discovery.NewDiscoveryClientForConfigOrDie(server.Config(t))
	document, err := client.OpenAPISchema()
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]*openapiv2.Schema{}
	for _, each := range document.Definitions.AdditionalProperties {
		types[each.Name] = each.Value
	}
	if types["io.k8s.api.apps.v1.Deployment"] == nil {
		t.Errorf("no deployment among %d types", len(types))
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil || paths["apis/apps/v1"] == nil {
		t.Fatalf("%d paths, %v", len(paths), err)
	}
	if text, err := paths["apis/apps/v1"].Schema("application/json"); err != nil || len(text) < 10_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	version, err := client.ServerVersion()
	if err != nil || version.Major+"."+version.Minor != os.Getenv("RELEASE") {
		t.Errorf("%v %v", version, err)
	}
}

// TestDynamicClient works with objects of which only the names are known.
func TestDynamicClient(t *testing.T) {
	config := server.Config(t)
	ns := server.Namespace(t, kubernetes.NewForConfigOrDie(config))
	maps := dynamic.NewForConfigOrDie(config).Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(ns)
	ctx := t.Context()
	object := func(name string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": name, "labels": map[string]any{"dynamic": "yes"}},
			"data":     map[string]any{"a": "b"},
		}}
	}
	names := []string{"a", "b", "c", "d", "e", "f", "g"}
	for _, name := range names {
		if _, err := maps.Create(ctx, object(name), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	pages := 0
	var found []string
	list := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		pages++
		return maps.List(ctx, options)
	})
	list.PageSize = 3
	err := list.EachListItem(ctx, metav1.ListOptions{LabelSelector: "dynamic=yes"}, func(item runtime.Object) error {
		found = append(found, item.(metav1.Object).GetName())
		return nil
	})
	if err != nil || pages != 3 || len(found) != len(names) {
		t.Errorf("%v in %d pages: %v", found, pages, err)
	}
	applied, err := maps.Apply(ctx, "a", object("a"), metav1.ApplyOptions{FieldManager: "dynamic", Force: true})
	if err != nil || len(applied.GetManagedFields()) != 2 {
		t.Errorf("%v %v", applied, err)
	}
	patched, err := maps.Patch(ctx, "a", types.MergePatchType, []byte(`{"data":{"a":null,"c":"d"}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if data, _, _ := unstructured.NestedStringMap(patched.Object, "data"); len(data) != 1 || data["c"] != "d" {
		t.Errorf("%v", data)
	}
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "dynamic=yes"}); err != nil {
		t.Fatal(err)
	}
	if left, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "dynamic=yes"}); err != nil || len(left.Items) != 0 {
		t.Errorf("%v %v", left, err)
	}
}
