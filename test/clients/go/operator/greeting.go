// Package operator is an operator as people write them with controller-runtime: a kind of its own, and a loop that makes
// a config map of each object.
package operator

import (
	"encoding/json"

	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
)

var groupVersion = schema.GroupVersion{Group: "demo.example.com", Version: "v1"}

// Greeting asks for a config map that greets.
type Greeting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreetingSpec   `json:"spec"`
	Status            GreetingStatus `json:"status,omitempty"`
}

// GreetingSpec is what is wanted.
type GreetingSpec struct {
	Name  string `json:"name"`
	Times int    `json:"times,omitempty"`
}

// GreetingStatus is what has become of it.
type GreetingStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// GreetingList is a list of them.
type GreetingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Greeting `json:"items"`
}

// DeepCopyObject copies by way of JSON, which is enough here.
func (g *Greeting) DeepCopyObject() runtime.Object { return copyOf(g) }

// DeepCopyObject copies by way of JSON.
func (l *GreetingList) DeepCopyObject() runtime.Object { return copyOf(l) }

func copyOf[T any](original *T) *T {
	text, err := json.Marshal(original)
	if err != nil {
		panic(err)
	}
	copied := new(T)
	if err := json.Unmarshal(text, copied); err != nil {
		panic(err)
	}
	return copied
}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &Greeting{}, &GreetingList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}

func definition() *extensions.CustomResourceDefinition {
	text := extensions.JSONSchemaProps{Type: "string"}
	object := func(required []string, properties map[string]extensions.JSONSchemaProps) extensions.JSONSchemaProps {
		return extensions.JSONSchemaProps{Type: "object", Required: required, Properties: properties}
	}
	condition := object([]string{"type", "status", "reason", "lastTransitionTime"}, map[string]extensions.JSONSchemaProps{
		"type": text, "reason": text, "message": {Type: "string", MaxLength: ptr.To[int64](32768)},
		"status":             {Type: "string", Enum: []extensions.JSON{{Raw: []byte(`"True"`)}, {Raw: []byte(`"False"`)}, {Raw: []byte(`"Unknown"`)}}},
		"lastTransitionTime": {Type: "string", Format: "date-time"},
		"observedGeneration": {Type: "integer", Format: "int64", Minimum: ptr.To[float64](0)},
	})
	root := object([]string{"spec"}, map[string]extensions.JSONSchemaProps{
		"spec": object([]string{"name"}, map[string]extensions.JSONSchemaProps{
			"name":  text,
			"times": {Type: "integer", Default: &extensions.JSON{Raw: []byte("1")}, Minimum: ptr.To[float64](1)},
		}),
		"status": object(nil, map[string]extensions.JSONSchemaProps{
			"conditions": {
				Type: "array", Items: &extensions.JSONSchemaPropsOrArray{Schema: &condition},
				XListType: ptr.To("map"), XListMapKeys: []string{"type"},
			},
		}),
	})
	return &extensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "greetings." + groupVersion.Group},
		Spec: extensions.CustomResourceDefinitionSpec{
			Group: groupVersion.Group,
			Scope: extensions.NamespaceScoped,
			Names: extensions.CustomResourceDefinitionNames{Plural: "greetings", Kind: "Greeting"},
			Versions: []extensions.CustomResourceDefinitionVersion{{
				Name: groupVersion.Version, Served: true, Storage: true,
				Schema:       &extensions.CustomResourceValidation{OpenAPIV3Schema: &root},
				Subresources: &extensions.CustomResourceSubresources{Status: &extensions.CustomResourceSubresourceStatus{}},
			}},
		},
	}
}
