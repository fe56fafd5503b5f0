// Command past works through kinds of objects as a program of its own time does: with the types, the codecs and the
// requests of the client-go that it is built with. Each argument is a row: a resource and an object of it, in JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

const deadline = 60 * time.Second

type row struct {
	Resource  string
	Namespace string
	Object    json.RawMessage
	// Patch is a merge patch, Apply a configuration to apply.
	Patch, Apply json.RawMessage
}

// seen is what a row printed: the object as the types of this client-go have it, after each step.
type seen struct {
	Created, Updated, Patched, Applied, Listed runtime.Object
	Events                                     []watch.Event
}

func main() {
	results := make([]seen, 0, len(os.Args)-1)
	for _, argument := range os.Args[1:] {
		var r row
		must(json.Unmarshal([]byte(argument), &r))
		results = append(results, work(r))
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}

func work(r row) (s seen) {
	wanted, kind, err := scheme.Codecs.UniversalDeserializer().Decode(r.Object, nil, nil)
	must(err)
	c := client(kind.GroupVersion())
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	at := func(request *rest.Request) *rest.Request {
		return request.NamespaceIfScoped(r.Namespace, r.Namespace != "").Resource(r.Resource)
	}
	name := access(wanted).GetName()
	fresh := func() runtime.Object {
		made, err := scheme.Scheme.New(*kind)
		must(err)
		return made
	}
	list := func() runtime.Object {
		made, err := scheme.Scheme.New(kind.GroupVersion().WithKind(kind.Kind + "List"))
		must(err)
		must(at(c.Get()).Do(ctx).Into(made))
		return made
	}

	before, err := meta.ListAccessor(list())
	must(err)
	options := metav1.ListOptions{Watch: true, ResourceVersion: before.GetResourceVersion(), FieldSelector: "metadata.name=" + name}
	events, err := at(c.Get()).VersionedParams(&options, scheme.ParameterCodec).Watch(ctx)
	must(err)
	defer events.Stop()

	s.Created = fresh()
	must(at(c.Post()).Body(wanted).Do(ctx).Into(s.Created))
	// Controllers of the server write, too: who loses against them reads again.
	must(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		changed := fresh()
		must(at(c.Get()).Name(name).Do(ctx).Into(changed))
		access(changed).SetLabels(map[string]string{"updated": "yes"})
		s.Updated = fresh()
		return at(c.Put()).Name(name).Body(changed).Do(ctx).Into(s.Updated)
	}))
	s.Patched = fresh()
	must(at(c.Patch(types.MergePatchType)).Name(name).Body([]byte(r.Patch)).Do(ctx).Into(s.Patched))
	s.Applied = fresh()
	must(at(c.Patch(types.ApplyPatchType)).Name(name).Param("fieldManager", "past").Param("force", "true").
		Body([]byte(r.Apply)).Do(ctx).Into(s.Applied))
	items, err := meta.ExtractList(list())
	must(err)
	for _, item := range items {
		if access(item).GetName() == name {
			s.Listed = item
		}
	}
	must(at(c.Delete()).Name(name).Body(&metav1.DeleteOptions{}).Do(ctx).Error())
	for event := range events.ResultChan() {
		s.Events = append(s.Events, event)
		if event.Type == watch.Deleted || event.Type == watch.Error {
			break
		}
	}
	return s
}

// client speaks one version of a group, in the form of objects that CONTENT_TYPE names.
func client(version schema.GroupVersion) *rest.RESTClient {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS = -1
	config.APIPath = "/apis"
	config.GroupVersion = &version
	config.ContentType = os.Getenv("CONTENT_TYPE")
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	made, err := rest.RESTClientFor(config)
	must(err)
	return made
}

func access(object runtime.Object) metav1.Object {
	made, err := meta.Accessor(object)
	must(err)
	return made
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
