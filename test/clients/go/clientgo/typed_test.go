// Package clientgo tests what programs built on client-go do.
package clientgo

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	admission "k8s.io/client-go/applyconfigurations/admissionregistration/v1"
	apps "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscaling1 "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	autoscaling2 "k8s.io/client-go/applyconfigurations/autoscaling/v2"
	batch "k8s.io/client-go/applyconfigurations/batch/v1"
	certificates "k8s.io/client-go/applyconfigurations/certificates/v1"
	coordination "k8s.io/client-go/applyconfigurations/coordination/v1"
	core "k8s.io/client-go/applyconfigurations/core/v1"
	discovery "k8s.io/client-go/applyconfigurations/discovery/v1"
	events "k8s.io/client-go/applyconfigurations/events/v1"
	flowcontrol "k8s.io/client-go/applyconfigurations/flowcontrol/v1"
	networking "k8s.io/client-go/applyconfigurations/networking/v1"
	node "k8s.io/client-go/applyconfigurations/node/v1"
	policy "k8s.io/client-go/applyconfigurations/policy/v1"
	rbac "k8s.io/client-go/applyconfigurations/rbac/v1"
	resources "k8s.io/client-go/applyconfigurations/resource/v1"
	scheduling "k8s.io/client-go/applyconfigurations/scheduling/v1"
	storage "k8s.io/client-go/applyconfigurations/storage/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"keelson.test/clients/server"
)

const protobuf = "application/vnd.kubernetes.protobuf"

var marked = map[string]string{"applied": "yes"}

// typed is what the typed clients of all kinds have in common: T the type, L its list, A its apply configuration.
type typed[T, L, A any] interface {
	Create(context.Context, *T, metav1.CreateOptions) (*T, error)
	Update(context.Context, *T, metav1.UpdateOptions) (*T, error)
	Get(context.Context, string, metav1.GetOptions) (*T, error)
	List(context.Context, metav1.ListOptions) (*L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (*T, error)
	Apply(context.Context, *A, metav1.ApplyOptions) (*T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// life takes an object named "one" from its creation to its end. The apply configuration is to set the label "applied".
func life[T, L, A any](t *testing.T, what string, client typed[T, L, A], object *T, configuration *A) {
	t.Run(what, func(t *testing.T) {
		ctx := t.Context()
		must := func(doing string, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", doing, err)
			}
		}
		any(object).(metav1.Object).SetName("one")
		named := metav1.ListOptions{FieldSelector: "metadata.name=one", TimeoutSeconds: ptr.To[int64](20)}
		watching, err := client.Watch(ctx, named)
		must("watch", err)
		defer watching.Stop()

		made, err := client.Create(ctx, object, metav1.CreateOptions{})
		must("create", err)
		access := any(made).(metav1.Object)
		if access.GetUID() == "" || access.GetResourceVersion() == "" {
			t.Errorf("created without uid or resourceVersion: %+v", access)
		}
		// What a controller of the server says of a new object comes between now and then.
		must("update", retry.RetryOnConflict(retry.DefaultRetry, func() error {
			if made, err = client.Get(ctx, "one", metav1.GetOptions{}); err != nil {
				return err
			}
			any(made).(metav1.Object).SetLabels(map[string]string{"updated": "yes"})
			_, err = client.Update(ctx, made, metav1.UpdateOptions{})
			return err
		}))
		_, err = client.Update(ctx, made, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			t.Errorf("an update of an old version: %v", err)
		}
		patches := map[types.PatchType]string{
			types.MergePatchType:          `{"metadata":{"annotations":{"merge":"yes"}}}`,
			types.StrategicMergePatchType: `{"metadata":{"annotations":{"strategic":"yes"}}}`,
			types.JSONPatchType:           `[{"op":"add","path":"/metadata/labels/json","value":"yes"}]`,
		}
		for kind, patch := range patches {
			_, err = client.Patch(ctx, "one", kind, []byte(patch), metav1.PatchOptions{})
			must(string(kind), err)
		}
		_, err = client.Apply(ctx, configuration, metav1.ApplyOptions{FieldManager: "applier", Force: true})
		must("apply", err)

		got, err := client.Get(ctx, "one", metav1.GetOptions{})
		must("get", err)
		labels, annotations := any(got).(metav1.Object).GetLabels(), any(got).(metav1.Object).GetAnnotations()
		if labels["updated"] != "yes" || labels["json"] != "yes" || labels["applied"] != "yes" {
			t.Errorf("labels: %v", labels)
		}
		if annotations["merge"] != "yes" || annotations["strategic"] != "yes" {
			t.Errorf("annotations: %v", annotations)
		}
		list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "updated=yes,applied=yes"})
		must("list", err)
		items, err := meta.ExtractList(any(list).(runtime.Object))
		must("read the list", err)
		if len(items) != 1 {
			t.Errorf("%d objects in the list", len(items))
		}
		must("delete", client.Delete(ctx, "one", metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)}))
		if len(access.GetFinalizers()) > 0 {
			// The part of the controllers that protect volumes, which are not here.
			_, err = client.Patch(ctx, "one", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			must("release", err)
		}
		follow(t, watching)
	})
}

// follow reads a watch to the deletion of its object.
func follow(t *testing.T, watching watch.Interface) {
	t.Helper()
	var seen []watch.EventType
	for event := range watching.ResultChan() {
		seen = append(seen, event.Type)
		if event.Type == watch.Error {
			t.Fatalf("the watch told of an error: %v", event.Object)
		}
		if event.Type == watch.Deleted {
			break
		}
	}
	// Created; updated, patched thrice and applied to; deleted. Finalizers make for more changes.
	if len(seen) < 7 || seen[0] != watch.Added || seen[len(seen)-1] != watch.Deleted {
		t.Errorf("the watch told of %v", seen)
	}
}

// onlyProtobuf lets no answer through that is in another form.
type onlyProtobuf struct {
	next    http.RoundTripper
	answers *atomic.Int64
	others  *atomic.Pointer[string]
}

func (o onlyProtobuf) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := o.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	o.answers.Add(1)
	if form := response.Header.Get("Content-Type"); !strings.HasPrefix(form, protobuf) {
		o.others.Store(ptr.To(request.Method + " " + request.URL.Path + ": " + form))
	}
	return response, nil
}

// TestTypedClients takes an object of each group through its life, in protobuf.
func TestTypedClients(t *testing.T) {
	var answers atomic.Int64
	var others atomic.Pointer[string]
	config := server.Config(t)
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return onlyProtobuf{next, &answers, &others} })
	c := kubernetes.NewForConfigOrDie(config)
	ns := server.Namespace(t, c)

	coreLives(t, c, ns)
	workloadLives(t, c, ns)
	networkLives(t, c, ns)
	accessLives(t, c, ns)
	storageLives(t, c, ns)
	clusterLives(t, c, ns)
	review(t, c, ns)
	if other := others.Load(); other != nil {
		t.Errorf("an answer was no protobuf: %s", *other)
	}
	if answers.Load() < 300 {
		t.Errorf("%d answers only: what was tested?", answers.Load())
	}
}

var (
	app       = map[string]string{"app": "one"}
	selector  = &metav1.LabelSelector{MatchLabels: app}
	container = corev1.Container{Name: "main", Image: "example.com/main:1"}
	template  = corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: app},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
	}
	gigabyte = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
)

func coreLives(t *testing.T, c *kubernetes.Clientset, ns string) {
	v1 := c.CoreV1()
	life(t, "configmaps", v1.ConfigMaps(ns), &corev1.ConfigMap{Data: map[string]string{"a": "b"}}, core.ConfigMap("one", ns).WithLabels(marked))
	life(t, "secrets", v1.Secrets(ns), &corev1.Secret{Data: map[string][]byte{"a": {0, 255}}}, core.Secret("one", ns).WithLabels(marked))
	life(t, "pods", v1.Pods(ns), &corev1.Pod{Spec: template.Spec}, core.Pod("one", ns).WithLabels(marked))
	life(t, "podtemplates", v1.PodTemplates(ns), &corev1.PodTemplate{Template: template}, core.PodTemplate("one", ns).WithLabels(marked))
	life(t, "replicationcontrollers", v1.ReplicationControllers(ns), &corev1.ReplicationController{Spec: corev1.ReplicationControllerSpec{Selector: app, Template: &template}}, core.ReplicationController("one", ns).WithLabels(marked))
	life(t, "services", v1.Services(ns), &corev1.Service{Spec: corev1.ServiceSpec{Selector: app, Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromString("http")}}}}, core.Service("one", ns).WithLabels(marked))
	life(t, "serviceaccounts", v1.ServiceAccounts(ns), &corev1.ServiceAccount{}, core.ServiceAccount("one", ns).WithLabels(marked))
	life(t, "limitranges", v1.LimitRanges(ns), &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypePersistentVolumeClaim, Max: gigabyte}}}}, core.LimitRange("one", ns).WithLabels(marked))
	life(t, "resourcequotas", v1.ResourceQuotas(ns), &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"count/widgets.example.com": resource.MustParse("5")}}}, core.ResourceQuota("one", ns).WithLabels(marked))
	life(t, "events", v1.Events(ns), &corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: ns, Name: "one"}, Reason: "Tested"}, core.Event("one", ns).WithLabels(marked))
	life(t, "namespaces", v1.Namespaces(), &corev1.Namespace{}, core.Namespace("one").WithLabels(marked))
	life(t, "nodes", v1.Nodes(), &corev1.Node{}, core.Node("one").WithLabels(marked))
	life(t, "persistentvolumes", v1.PersistentVolumes(), &corev1.PersistentVolume{Spec: corev1.PersistentVolumeSpec{
		Capacity: gigabyte, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/data"}},
	}}, core.PersistentVolume("one").WithLabels(marked))
	life(t, "persistentvolumeclaims", v1.PersistentVolumeClaims(ns), &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: gigabyte},
	}}, core.PersistentVolumeClaim("one", ns).WithLabels(marked))
}

func workloadLives(t *testing.T, c *kubernetes.Clientset, ns string) {
	v1 := c.AppsV1()
	life(t, "deployments", v1.Deployments(ns), &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Selector: selector, Template: template}}, apps.Deployment("one", ns).WithLabels(marked))
	life(t, "replicasets", v1.ReplicaSets(ns), &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: template}}, apps.ReplicaSet("one", ns).WithLabels(marked))
	life(t, "statefulsets", v1.StatefulSets(ns), &appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{Selector: selector, Template: template}}, apps.StatefulSet("one", ns).WithLabels(marked))
	life(t, "daemonsets", v1.DaemonSets(ns), &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Selector: selector, Template: template}}, apps.DaemonSet("one", ns).WithLabels(marked))
	life(t, "controllerrevisions", v1.ControllerRevisions(ns), &appsv1.ControllerRevision{Revision: 3, Data: runtime.RawExtension{Raw: []byte(`{"spec":{"a":1}}`)}}, apps.ControllerRevision("one", ns).WithLabels(marked).WithRevision(3))
	once := template
	once.Spec.RestartPolicy = corev1.RestartPolicyNever
	job := batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: once.Spec}}
	life(t, "jobs", c.BatchV1().Jobs(ns), &batchv1.Job{Spec: job}, batch.Job("one", ns).WithLabels(marked))
	life(t, "cronjobs", c.BatchV1().CronJobs(ns), &batchv1.CronJob{Spec: batchv1.CronJobSpec{Schedule: "0 * * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: job}}}, batch.CronJob("one", ns).WithLabels(marked))
	scaled := autoscalingv1.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "one"}
	life(t, "horizontalpodautoscalers, v1", c.AutoscalingV1().HorizontalPodAutoscalers(ns), &autoscalingv1.HorizontalPodAutoscaler{Spec: autoscalingv1.HorizontalPodAutoscalerSpec{ScaleTargetRef: scaled, MaxReplicas: 3}}, autoscaling1.HorizontalPodAutoscaler("one", ns).WithLabels(marked))
	life(t, "horizontalpodautoscalers, v2", c.AutoscalingV2().HorizontalPodAutoscalers(ns), &autoscalingv2.HorizontalPodAutoscaler{Spec: autoscalingv2.HorizontalPodAutoscalerSpec{ScaleTargetRef: autoscalingv2.CrossVersionObjectReference(scaled), MaxReplicas: 3}}, autoscaling2.HorizontalPodAutoscaler("one", ns).WithLabels(marked))
	life(t, "poddisruptionbudgets", c.PolicyV1().PodDisruptionBudgets(ns), &policyv1.PodDisruptionBudget{Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector, MinAvailable: ptr.To(intstr.FromString("50%"))}}, policy.PodDisruptionBudget("one", ns).WithLabels(marked))
}

func networkLives(t *testing.T, c *kubernetes.Clientset, ns string) {
	v1 := c.NetworkingV1()
	backend := networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: "one", Port: networkingv1.ServiceBackendPort{Number: 80}}}
	life(t, "ingresses", v1.Ingresses(ns), &networkingv1.Ingress{Spec: networkingv1.IngressSpec{DefaultBackend: &backend}}, networking.Ingress("one", ns).WithLabels(marked))
	life(t, "ingressclasses", v1.IngressClasses(), &networkingv1.IngressClass{Spec: networkingv1.IngressClassSpec{Controller: "example.com/ingress"}}, networking.IngressClass("one").WithLabels(marked))
	life(t, "networkpolicies", v1.NetworkPolicies(ns), &networkingv1.NetworkPolicy{Spec: networkingv1.NetworkPolicySpec{PodSelector: *selector}}, networking.NetworkPolicy("one", ns).WithLabels(marked))
	life(t, "endpointslices", c.DiscoveryV1().EndpointSlices(ns), &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.1.2.3"}}}}, discovery.EndpointSlice("one", ns).WithLabels(marked).WithAddressType(discoveryv1.AddressTypeIPv4))
}

func accessLives(t *testing.T, c *kubernetes.Clientset, ns string) {
	v1 := c.RbacV1()
	rules := []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get"}}}
	subjects := []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: ns, Name: "one"}}
	role := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"}
	life(t, "roles", v1.Roles(ns), &rbacv1.Role{Rules: rules}, rbac.Role("one", ns).WithLabels(marked))
	life(t, "rolebindings", v1.RoleBindings(ns), &rbacv1.RoleBinding{Subjects: subjects, RoleRef: role}, rbac.RoleBinding("one", ns).WithLabels(marked))
	life(t, "clusterroles", v1.ClusterRoles(), &rbacv1.ClusterRole{Rules: rules}, rbac.ClusterRole("one").WithLabels(marked))
	life(t, "clusterrolebindings", v1.ClusterRoleBindings(), &rbacv1.ClusterRoleBinding{Subjects: subjects, RoleRef: role}, rbac.ClusterRoleBinding("one").WithLabels(marked))
	life(t, "certificatesigningrequests", c.CertificatesV1().CertificateSigningRequests(), &certificatesv1.CertificateSigningRequest{Spec: certificatesv1.CertificateSigningRequestSpec{
		Request: signingRequest(t), SignerName: "example.com/signer", Usages: []certificatesv1.KeyUsage{certificatesv1.UsageClientAuth},
	}}, certificates.CertificateSigningRequest("one").WithLabels(marked))
}

func signingRequest(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: "one"}}, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: request})
}

func storageLives(t *testing.T, c *kubernetes.Clientset, ns string) {
	v1 := c.StorageV1()
	life(t, "storageclasses", v1.StorageClasses(), &storagev1.StorageClass{Provisioner: "example.com/disk"}, storage.StorageClass("one").WithLabels(marked))
	life(t, "csidrivers", v1.CSIDrivers(), &storagev1.CSIDriver{}, storage.CSIDriver("one").WithLabels(marked))
	life(t, "csinodes", v1.CSINodes(), &storagev1.CSINode{}, storage.CSINode("one").WithLabels(marked))
	life(t, "csistoragecapacities", v1.CSIStorageCapacities(ns), &storagev1.CSIStorageCapacity{StorageClassName: "one"}, storage.CSIStorageCapacity("one", ns).WithLabels(marked))
	life(t, "volumeattachments", v1.VolumeAttachments(), &storagev1.VolumeAttachment{Spec: storagev1.VolumeAttachmentSpec{Attacher: "example.com", NodeName: "one", Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: ptr.To("one")}}}, storage.VolumeAttachment("one").WithLabels(marked))
	life(t, "volumeattributesclasses", v1.VolumeAttributesClasses(), &storagev1.VolumeAttributesClass{DriverName: "example.com", Parameters: map[string]string{"iops": "5"}}, storage.VolumeAttributesClass("one").WithLabels(marked))
}

func clusterLives(t *testing.T, c *kubernetes.Clientset, ns string) {
	life(t, "priorityclasses", c.SchedulingV1().PriorityClasses(), &schedulingv1.PriorityClass{Value: 7}, scheduling.PriorityClass("one").WithLabels(marked).WithValue(7))
	life(t, "runtimeclasses", c.NodeV1().RuntimeClasses(), &nodev1.RuntimeClass{Handler: "fast"}, node.RuntimeClass("one").WithLabels(marked).WithHandler("fast"))
	life(t, "leases", c.CoordinationV1().Leases(ns), &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{HolderIdentity: ptr.To("me"), LeaseDurationSeconds: ptr.To[int32](9), RenewTime: ptr.To(metav1.NowMicro())}}, coordination.Lease("one", ns).WithLabels(marked))
	life(t, "events.events.k8s.io", c.EventsV1().Events(ns), &eventsv1.Event{
		EventTime: metav1.NowMicro(), Reason: "Tested", Action: "Test", Type: "Normal", ReportingController: "example.com/test", ReportingInstance: "one",
		Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: ns, Name: "one"},
	}, events.Event("one", ns).WithLabels(marked))
	flow := flowcontrolv1.FlowSchemaSpec{PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: "global-default"}, MatchingPrecedence: 9000}
	life(t, "flowschemas", c.FlowcontrolV1().FlowSchemas(), &flowcontrolv1.FlowSchema{Spec: flow}, flowcontrol.FlowSchema("one").WithLabels(marked))
	life(t, "validatingwebhookconfigurations", c.AdmissionregistrationV1().ValidatingWebhookConfigurations(), &admissionv1.ValidatingWebhookConfiguration{}, admission.ValidatingWebhookConfiguration("one").WithLabels(marked))
	life(t, "mutatingwebhookconfigurations", c.AdmissionregistrationV1().MutatingWebhookConfigurations(), &admissionv1.MutatingWebhookConfiguration{}, admission.MutatingWebhookConfiguration("one").WithLabels(marked))
	life(t, "deviceclasses", c.ResourceV1().DeviceClasses(), &resourcev1.DeviceClass{}, resources.DeviceClass("one").WithLabels(marked))
	life(t, "resourceclaims", c.ResourceV1().ResourceClaims(ns), &resourcev1.ResourceClaim{}, resources.ResourceClaim("one", ns).WithLabels(marked))
}

// review asks what can only be created.
func review(t *testing.T, c kubernetes.Interface, ns string) {
	t.Run("reviews", func(t *testing.T) {
		asked := authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: ns, Verb: "get", Resource: "pods"}}
		answer, err := c.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), &authorizationv1.SelfSubjectAccessReview{Spec: asked}, metav1.CreateOptions{})
		if err != nil || !answer.Status.Allowed {
			t.Fatalf("%v %v", answer, err)
		}
	})
}

// TestErrorsInProtobuf reads errors as client-go does.
func TestErrorsInProtobuf(t *testing.T) {
	config := rest.CopyConfig(server.Config(t))
	config.ContentType = protobuf
	c := kubernetes.NewForConfigOrDie(config)
	ns := server.Namespace(t, c)
	_, err := c.CoreV1().Pods(ns).Get(t.Context(), "none", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) || err.Error() != `pods "none" not found` {
		t.Errorf("not found: %v", err)
	}
	_, err = c.CoreV1().Pods(ns).Create(t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "A"}}, metav1.CreateOptions{})
	status := apierrors.APIStatus(nil)
	if !apierrors.IsInvalid(err) {
		t.Fatalf("invalid: %v", err)
	}
	status = err.(apierrors.APIStatus)
	if causes := status.Status().Details.Causes; len(causes) < 2 || causes[0].Field == "" {
		t.Errorf("causes: %v", causes)
	}
}
