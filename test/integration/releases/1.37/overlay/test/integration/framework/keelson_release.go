// Names of Kubernetes whose shape depends on the release.
package framework

import (
	"context"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	clientgoinformers "k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	controlplaneoptions "k8s.io/kubernetes/pkg/controlplane/apiserver/options"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"
	original "k8s.io/kubernetes/test/integration/framework"
)

func controlSetup(s TestServerSetup) original.TestServerSetup {
	return original.TestServerSetup{ModifyServerRunOptions: s.ModifyServerRunOptions, ModifyServerConfig: s.ModifyServerConfig, DisableInvariantChecks: s.DisableInvariantChecks}
}

func buildGenericConfig(opts controlplaneoptions.CompletedOptions, schemes []*apiruntime.Scheme) (*genericapiserver.Config, clientgoinformers.SharedInformerFactory, *serverstorage.DefaultStorageFactory, error) {
	return controlplaneapiserver.BuildGenericConfig(opts, schemes, controlplane.DefaultAPIResourceConfigSource(), generatedopenapi.GetOpenAPIDefinitions, nil)
}

func (o *ownAuthz) ConditionsAwareAuthorize(ctx context.Context, a authorizer.Attributes) authorizer.ConditionsAwareDecision {
	return authorizer.ConditionsAwareDecisionFromParts(o.Authorize(ctx, a))
}

func (*ownAuthz) EvaluateConditions(context.Context, authorizer.ConditionsAwareDecision, authorizer.ConditionsData) (authorizer.Decision, string, error) {
	return authorizer.DecisionDeny, "", authorizer.ErrorConditionEvaluationNotSupported
}
