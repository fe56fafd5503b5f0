// Package helm installs, upgrades, rolls back and uninstalls a chart with Helm's own library.
package helm

import (
	"context"
	"os"
	"testing"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/cli"
	"helm.sh/helm/v3/pkg/release"
	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"keelson.test/clients/server"
)

const release1 = "shop"

var tills = schema.GroupVersionResource{Group: "chart.example.com", Version: "v1", Resource: "tills"}

// TestChart takes a release through its life. The chart has a CRD, an object of it, hooks, and workloads that follow its values.
func TestChart(t *testing.T) {
	config := server.Config(t)
	c := kubernetes.NewForConfigOrDie(config)
	objects := dynamic.NewForConfigOrDie(config)
	ns := server.Namespace(t, c)
	completeJobs(t, c, ns)
	helm := configuration(t, ns)
	charts, err := loader.Load("../../../fixtures/helm-chart")
	if err != nil {
		t.Fatal(err)
	}
	replicas := func() int32 {
		t.Helper()
		found, err := c.AppsV1().Deployments(ns).Get(t.Context(), "shop-web", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return *found.Spec.Replicas
	}
	if made := install(t, helm, charts, ns); made.Info.Status != release.StatusDeployed || made.Version != 1 {
		t.Errorf("installed: %+v", made.Info)
	}
	if replicas() != 2 {
		t.Errorf("%d replicas", replicas())
	}
	if _, err := objects.Resource(tills).Namespace(ns).Get(t.Context(), "shop", metav1.GetOptions{}); err != nil {
		t.Errorf("the object of the chart's own kind: %v", err)
	}

	upgraded := upgrade(t, helm, charts, ns, map[string]any{"replicas": 5, "colour": "green", "ingress": true})
	if upgraded.Version != 2 || replicas() != 5 {
		t.Errorf("upgraded: version %d, %d replicas", upgraded.Version, replicas())
	}
	settings, err := c.CoreV1().ConfigMaps(ns).Get(t.Context(), "shop-settings", metav1.GetOptions{})
	if err != nil || settings.Data["colour"] != "green" {
		t.Errorf("%v %v", settings, err)
	}
	if _, err := c.NetworkingV1().Ingresses(ns).Get(t.Context(), "shop-web", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}

	rollback := action.NewRollback(helm)
	rollback.Version = 1
	if err := rollback.Run(release1); err != nil {
		t.Fatal(err)
	}
	if _, err := c.NetworkingV1().Ingresses(ns).Get(t.Context(), "shop-web", metav1.GetOptions{}); !apierrors.IsNotFound(err) || replicas() != 2 {
		t.Errorf("rolled back: %d replicas, the ingress: %v", replicas(), err)
	}
	if versions, err := action.NewHistory(helm).Run(release1); err != nil || len(versions) != 3 {
		t.Errorf("%d versions, %v", len(versions), err)
	}

	server.Restart(t, "stop")
	if status, err := action.NewStatus(helm).Run(release1); err != nil || status.Version != 3 {
		t.Errorf("after a restart: %v %v", status, err)
	}
	uninstall := action.NewUninstall(helm)
	uninstall.Wait, uninstall.Timeout = true, server.Deadline
	if _, err := uninstall.Run(release1); err != nil {
		t.Fatal(err)
	}
	if left, err := c.AppsV1().Deployments(ns).List(t.Context(), metav1.ListOptions{}); err != nil || len(left.Items) != 0 {
		t.Errorf("left after uninstalling: %v %v", left.Items, err)
	}
	if secrets, err := c.CoreV1().Secrets(ns).List(t.Context(), metav1.ListOptions{LabelSelector: "owner=helm"}); err != nil || len(secrets.Items) != 0 {
		t.Errorf("records left: %d %v", len(secrets.Items), err)
	}
	if _, err := objects.Resource(tills).Namespace(ns).List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("definitions stay, as Helm leaves them: %v", err)
	}
}

func configuration(t *testing.T, ns string) *action.Configuration {
	t.Helper()
	settings := cli.New()
	settings.KubeConfig = os.Getenv("KUBECONFIG")
	settings.SetNamespace(ns)
	helm := new(action.Configuration)
	if err := helm.Init(settings.RESTClientGetter(), ns, "secret", t.Logf); err != nil {
		t.Fatal(err)
	}
	return helm
}

func install(t *testing.T, helm *action.Configuration, charts *chart.Chart, ns string) *release.Release {
	t.Helper()
	install := action.NewInstall(helm)
	install.ReleaseName, install.Namespace, install.Timeout = release1, ns, server.Deadline
	made, err := install.RunWithContext(t.Context(), charts, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func upgrade(t *testing.T, helm *action.Configuration, charts *chart.Chart, ns string, values map[string]any) *release.Release {
	t.Helper()
	upgrade := action.NewUpgrade(helm)
	upgrade.Namespace, upgrade.Timeout = ns, server.Deadline
	made, err := upgrade.RunWithContext(t.Context(), release1, charts, values)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// completeJobs does what the controllers of jobs would: hooks that are jobs are waited for.
func completeJobs(t *testing.T, c kubernetes.Interface, ns string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		for ctx.Err() == nil {
			jobs, err := c.BatchV1().Jobs(ns).List(ctx, metav1.ListOptions{})
			for index := range jobs.Items {
				if job := &jobs.Items[index]; err == nil && len(job.Status.Conditions) == 0 {
					complete(ctx, c, job)
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
}

func complete(ctx context.Context, c kubernetes.Interface, job *batchv1.Job) {
	now := metav1.Now()
	job.Status.StartTime, job.Status.CompletionTime, job.Status.Succeeded = &now, &now, 1
	for _, kind := range []batchv1.JobConditionType{batchv1.JobSuccessCriteriaMet, batchv1.JobComplete} {
		job.Status.Conditions = append(job.Status.Conditions, batchv1.JobCondition{
			Type: kind, Status: "True", LastTransitionTime: now, LastProbeTime: now,
		})
	}
	_, _ = c.BatchV1().Jobs(job.Namespace).UpdateStatus(ctx, job, metav1.UpdateOptions{})
}
