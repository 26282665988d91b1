package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var webServices = schema.GroupVersion{Group: "apps.example.com", Version: "v1alpha1"}

// ServiceVariable is an environment variable of a WebService.
type ServiceVariable struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// ServiceResources are the resources of a WebService.
type ServiceResources struct {
	Limits   map[string]string `json:"limits,omitempty"`
	Requests map[string]string `json:"requests,omitempty"`
}

// WebServiceSpec is the desired state of a WebService.
type WebServiceSpec struct {
	Env       []ServiceVariable `json:"env,omitempty"`
	Image     string            `json:"image"`
	Replicas  *int32            `json:"replicas,omitempty"`
	Resources ServiceResources  `json:"resources,omitempty"`
}

// WebServiceStatus is the observed state of a WebService.
type WebServiceStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas,omitempty"`
}

// WebService is the custom resource of the load server.
type WebService struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebServiceSpec   `json:"spec,omitempty"`
	Status            WebServiceStatus `json:"status,omitempty"`
}

// WebServiceList is a list of WebServices.
type WebServiceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []WebService `json:"items"`
}

// DeepCopyInto copies a WebService, like the code that controller-gen generates.
func (in *WebService) DeepCopyInto(out *WebService) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.Env != nil {
		out.Spec.Env = append([]ServiceVariable(nil), in.Spec.Env...)
	}
	if in.Spec.Replicas != nil {
		replicas := *in.Spec.Replicas
		out.Spec.Replicas = &replicas
	}
	out.Spec.Resources.Limits = copyMap(in.Spec.Resources.Limits)
	out.Spec.Resources.Requests = copyMap(in.Spec.Resources.Requests)
	if in.Status.Conditions != nil {
		out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
		for at := range in.Status.Conditions {
			in.Status.Conditions[at].DeepCopyInto(&out.Status.Conditions[at])
		}
	}
}

func copyMap(in map[string]string) map[string]string {
	if in == nil {
		return nil
	}
	out := make(map[string]string, len(in))
	for key, value := range in {
		out[key] = value
	}
	return out
}

// DeepCopy returns a copy.
func (in *WebService) DeepCopy() *WebService {
	out := new(WebService)
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject returns a copy.
func (in *WebService) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject returns a copy.
func (in *WebServiceList) DeepCopyObject() runtime.Object {
	out := *in
	if in.Items != nil {
		out.Items = make([]WebService, len(in.Items))
		for at := range in.Items {
			in.Items[at].DeepCopyInto(&out.Items[at])
		}
	}
	return &out
}

func addWebServices(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(webServices, &WebService{}, &WebServiceList{})
	metav1.AddToGroupVersion(scheme, webServices)
}
