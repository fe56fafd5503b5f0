// Names of Kubernetes whose shape depends on the release.
package framework

import (
	apiruntime "k8s.io/apimachinery/pkg/runtime"
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
	return original.TestServerSetup{ModifyServerRunOptions: s.ModifyServerRunOptions, ModifyServerConfig: s.ModifyServerConfig}
}

func buildGenericConfig(opts controlplaneoptions.CompletedOptions, schemes []*apiruntime.Scheme) (*genericapiserver.Config, clientgoinformers.SharedInformerFactory, *serverstorage.DefaultStorageFactory, error) {
	return controlplaneapiserver.BuildGenericConfig(opts, schemes, controlplane.DefaultAPIResourceConfigSource(), generatedopenapi.GetOpenAPIDefinitions)
}
