package operator

import (
	"context"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "demo.example.com/farewell"

// reconciler makes the config map of a greeting. What it does outside of the server, it only notes down.
type reconciler struct {
	client.Client
	name string

	mutex      sync.Mutex
	greeted    map[string]bool
	farewells  map[string]int
	reconciled int
}

func newReconciler(manager ctrl.Manager, name string) *reconciler {
	return &reconciler{Client: manager.GetClient(), name: name, greeted: map[string]bool{}, farewells: map[string]int{}}
}

// Reconcile brings one greeting and its config map together.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var greeting Greeting
	if err := r.Get(ctx, request.NamespacedName, &greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !greeting.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(&greeting, finalizer) {
			if err := r.Update(ctx, &greeting); err != nil {
				// The cache may be behind: somebody else, or this before, has said farewell.
				return ctrl.Result{}, client.IgnoreNotFound(err)
			}
			r.note(func() { r.farewells[greeting.Name]++ })
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&greeting, finalizer) {
		return ctrl.Result{}, r.Update(ctx, &greeting)
	}
	card := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: greeting.Namespace, Name: greeting.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, card, func() error {
		card.Data = map[string]string{"text": strings.Repeat("Hello "+greeting.Spec.Name+". ", greeting.Spec.Times)}
		return controllerutil.SetControllerReference(&greeting, card, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	r.note(func() { r.greeted[greeting.Name] = true; r.reconciled++ })
	return ctrl.Result{}, r.report(ctx, &greeting)
}

// report applies the condition; the rest of the status is somebody else's.
func (r *reconciler) report(ctx context.Context, greeting *Greeting) error {
	conditions := greeting.Status.Conditions
	changed := meta.SetStatusCondition(&conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Greeted", Message: "by " + r.name, ObservedGeneration: greeting.Generation,
	})
	if !changed {
		return nil
	}
	ready, err := runtime.DefaultUnstructuredConverter.ToUnstructured(meta.FindStatusCondition(conditions, "Ready"))
	if err != nil {
		return err
	}
	status := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"conditions": []any{ready}}}}
	status.SetGroupVersionKind(groupVersion.WithKind("Greeting"))
	status.SetNamespace(greeting.Namespace)
	status.SetName(greeting.Name)
	return client.IgnoreNotFound(r.Status().Patch(ctx, status, client.Apply, client.ForceOwnership, client.FieldOwner("greeter")))
}

func (r *reconciler) note(what func()) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	what()
}
