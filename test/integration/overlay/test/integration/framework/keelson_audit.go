package framework

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"keelson.test/keelson"
)

// serveAudit lets the server send its events to the test's audit backend, as a webhook.
func serveAudit(flags *keelson.Flags, dir string, backend audit.Backend, rules audit.PolicyRuleEvaluator) (func(), error) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var list auditinternal.EventList
		if err := runtime.DecodeInto(audit.Codecs.UniversalDecoder(), body, &list); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		for i := range list.Items {
			if rules == nil || rules.EvaluatePolicyRule(attributesOf(&list.Items[i])).Level != auditinternal.LevelNone {
				backend.ProcessEvents(&list.Items[i])
			}
		}
	}))
	config, policy := filepath.Join(dir, "audit-webhook.kubeconfig"), filepath.Join(dir, "audit-policy.yaml")
	flags.Set("audit-webhook-config-file", config)
	flags.Set("audit-webhook-mode", "blocking")
	flags.Set("audit-policy-file", policy)
	if err := os.WriteFile(policy, []byte("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n"), 0o600); err != nil {
		return s.Close, err
	}
	return s.Close, writeKubeconfig(config, s.URL)
}

func attributesOf(e *auditinternal.Event) authorizer.Attributes {
	record := &authorizer.AttributesRecord{User: &user.DefaultInfo{Name: e.User.Username, UID: e.User.UID, Groups: e.User.Groups}, Verb: e.Verb}
	if u, err := url.Parse(e.RequestURI); err == nil {
		record.Path = u.Path
	}
	if ref := e.ObjectRef; ref != nil {
		record.ResourceRequest = true
		record.Namespace, record.Name = ref.Namespace, ref.Name
		record.APIGroup, record.APIVersion = ref.APIGroup, ref.APIVersion
		record.Resource, record.Subresource = ref.Resource, ref.Subresource
	}
	return record
}
