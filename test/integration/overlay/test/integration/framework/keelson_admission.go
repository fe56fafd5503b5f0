package framework

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sort"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/plugin/pkg/admission/priority"
)

// ownPlugin names the server's own counterpart of a plugin; "" if the test wrote the plugin itself.
func ownPlugin(plugin admission.Interface) string {
	switch plugin.(type) {
	case *priority.Plugin:
		return priority.PluginName
	}
	return ""
}

// serveAdmission lets the server ask the test's admission plugins, as a webhook.
func serveAdmission(ctx context.Context, c client.Interface, plugins admission.Interface) (func(), error) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
			http.Error(w, "no review", 400)
			return
		}
		review.Response = reviewed(r.Context(), plugins, review.Request)
		review.Request = nil
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	}))
	fail, none := admissionregistrationv1.Fail, admissionregistrationv1.SideEffectClassNone
	// The plugins are all that the test wants to be asked.
	_, err := c.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(ctx, &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "plugins-of-the-test"},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "plugins.keelson.test",
			ClientConfig: admissionregistrationv1.WebhookClientConfig{
				URL:      &s.URL,
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
			},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{"CREATE", "UPDATE", "DELETE"},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
			}},
			FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{})
	return s.Close, err
}

func reviewed(ctx context.Context, plugins admission.Interface, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	allowed := &admissionv1.AdmissionResponse{UID: req.UID, Allowed: true}
	operation := admission.Operation(req.Operation)
	if !plugins.Handles(operation) {
		return allowed
	}
	object, err := internal(req.Object.Raw)
	old, err2 := internal(req.OldObject.Raw)
	if err != nil || err2 != nil {
		// A kind that the plugins of Kubernetes do not know.
		return allowed
	}
	info := &user.DefaultInfo{Name: req.UserInfo.Username, UID: req.UserInfo.UID, Groups: req.UserInfo.Groups}
	kind := schema.GroupVersionKind(req.Kind)
	attributes := admission.NewAttributesRecord(object, old, kind, req.Namespace, req.Name, schema.GroupVersionResource(req.Resource), req.SubResource, operation, nil, req.DryRun != nil && *req.DryRun, info)
	interfaces := admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme)
	if m, ok := plugins.(admission.MutationInterface); ok {
		err = m.Admit(ctx, attributes, interfaces)
	}
	if v, ok := plugins.(admission.ValidationInterface); ok && err == nil {
		err = v.Validate(ctx, attributes, interfaces)
	}
	if err != nil {
		status := &metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
		var known apierrors.APIStatus
		if errors.As(err, &known) {
			own := known.Status()
			status = &own
		}
		return &admissionv1.AdmissionResponse{UID: req.UID, Result: status}
	}
	if object == nil {
		return allowed
	}
	patch, err := patchOf(req.Object.Raw, object, kind.GroupVersion())
	if err != nil {
		return &admissionv1.AdmissionResponse{UID: req.UID, Result: &metav1.Status{Message: err.Error()}}
	}
	if len(patch) > 0 {
		kind := admissionv1.PatchTypeJSONPatch
		allowed.Patch, allowed.PatchType = patch, &kind
	}
	return allowed
}

func internal(raw []byte) (runtime.Object, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	return runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), raw)
}

// patchOf gives the members of an object that the plugins changed.
func patchOf(before []byte, object runtime.Object, version schema.GroupVersion) ([]byte, error) {
	plain, err := internal(before)
	if err != nil {
		return nil, err
	}
	var one, other map[string]any
	for _, each := range []struct {
		object runtime.Object
		into   *map[string]any
	}{{plain, &one}, {object, &other}} {
		text, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(version), each.object)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, each.into); err != nil {
			return nil, err
		}
	}
	var operations []map[string]any
	names := make([]string, 0, len(other))
	for name := range other {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if !reflect.DeepEqual(one[name], other[name]) {
			operations = append(operations, map[string]any{"op": "add", "path": "/" + strings.ReplaceAll(name, "/", "~1"), "value": other[name]})
		}
	}
	if len(operations) == 0 {
		return nil, nil
	}
	return json.Marshal(operations)
}
