package clientgo

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apps "k8s.io/client-go/applyconfigurations/apps/v1"
	core "k8s.io/client-go/applyconfigurations/core/v1"
	meta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	"keelson.test/clients/server"
)

// TestServerSideApply: two managers of one deployment, what each owns, and how they get into each other's way.
func TestServerSideApply(t *testing.T) {
	c := kubernetes.NewForConfigOrDie(server.Config(t))
	ns := server.Namespace(t, c)
	deployments := c.AppsV1().Deployments(ns)
	deployment := func(replicas int32, containers ...*core.ContainerApplyConfiguration) *apps.DeploymentApplyConfiguration {
		return apps.Deployment("web", ns).WithSpec(apps.DeploymentSpec().
			WithReplicas(replicas).
			WithSelector(meta.LabelSelector().WithMatchLabels(app)).
			WithTemplate(core.PodTemplateSpec().WithLabels(app).WithSpec(core.PodSpec().WithContainers(containers...))))
	}
	main := core.Container().WithName("main").WithImage("example.com/main:1")
	sidecar := core.Container().WithName("sidecar").WithImage("example.com/sidecar:1")
	owner := metav1.ApplyOptions{FieldManager: "owner"}
	made, err := deployments.Apply(t.Context(), deployment(2, main, sidecar), owner)
	if err != nil || len(made.Spec.Template.Spec.Containers) != 2 {
		t.Fatalf("%v %v", made, err)
	}
	again, err := deployments.Apply(t.Context(), deployment(2, main, sidecar), owner)
	if err != nil || again.ResourceVersion != made.ResourceVersion {
		t.Errorf("applying the same changed it from %s to %s: %v", made.ResourceVersion, again.ResourceVersion, err)
	}
	scaler := metav1.ApplyOptions{FieldManager: "scaler"}
	five := apps.Deployment("web", ns).WithSpec(apps.DeploymentSpec().WithReplicas(5))
	if _, err = deployments.Apply(t.Context(), five, scaler); !apierrors.IsConflict(err) {
		t.Errorf("no conflict: %v", err)
	}
	scaler.Force = true
	if _, err = deployments.Apply(t.Context(), five, scaler); err != nil {
		t.Error(err)
	}
	// The owner gives the sidecar up, and keeps quiet about what it no longer owns.
	without := deployment(2, main)
	without.Spec.Replicas = nil
	last, err := deployments.Apply(t.Context(), without, owner)
	if err != nil || *last.Spec.Replicas != 5 || len(last.Spec.Template.Spec.Containers) != 1 {
		t.Errorf("%v %v", last, err)
	}
	mine, err := apps.ExtractDeployment(last, "scaler")
	if err != nil || mine.Spec == nil || *mine.Spec.Replicas != 5 || mine.Spec.Template != nil {
		t.Errorf("what the scaler owns: %+v %v", mine, err)
	}
	status := apps.Deployment("web", ns).WithStatus(apps.DeploymentStatus().WithConditions(
		apps.DeploymentCondition().WithType("Available").WithStatus(corev1.ConditionTrue)))
	shown, err := deployments.ApplyStatus(t.Context(), status, metav1.ApplyOptions{FieldManager: "reporter"})
	if err != nil || len(shown.Status.Conditions) != 1 || *shown.Spec.Replicas != 5 {
		t.Errorf("%v %v", shown, err)
	}
}
