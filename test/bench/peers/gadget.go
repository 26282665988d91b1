package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// Variable is an environment variable of a container.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Container is a container of a Gadget.
type Container struct {
	Name       string     `json:"name"`
	Image      string     `json:"image"`
	PullPolicy string     `json:"pullPolicy,omitempty"`
	Args       []string   `json:"args,omitempty"`
	Env        []Variable `json:"env,omitempty"`
}

// Shared contains the fields that both versions have.
type Shared struct {
	MaxReplicas int32             `json:"maxReplicas"`
	Paused      bool              `json:"paused"`
	Strategy    string            `json:"strategy,omitempty"`
	Selector    map[string]string `json:"selector,omitempty"`
	Containers  []Container       `json:"containers"`
}

// Status is the status of both versions.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// GadgetSpec is the spec of version v1.
type GadgetSpec struct {
	Replicas int32 `json:"replicas"`
	Shared   `json:",inline"`
}

// Gadget is version v1, to which the API server converts all objects.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              GadgetSpec `json:"spec"`
	Status            Status     `json:"status,omitempty"`
}

// OldGadgetSpec is the spec of version v1beta1.
type OldGadgetSpec struct {
	Instances int32 `json:"instances"`
	Shared    `json:",inline"`
}

// OldGadget is version v1beta1.
type OldGadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              OldGadgetSpec `json:"spec"`
	Status            Status        `json:"status,omitempty"`
}

// Hub makes v1 the version to which the other versions are converted.
func (*Gadget) Hub() {}

// ConvertTo converts an object to v1.
func (g *OldGadget) ConvertTo(hub conversion.Hub) error {
	to := hub.(*Gadget)
	to.ObjectMeta = g.ObjectMeta
	to.Spec = GadgetSpec{Replicas: g.Spec.Instances, Shared: g.Spec.Shared}
	to.Status = g.Status
	return nil
}

// ConvertFrom converts an object from v1.
func (g *OldGadget) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*Gadget)
	g.ObjectMeta = from.ObjectMeta
	g.Spec = OldGadgetSpec{Instances: from.Spec.Replicas, Shared: from.Spec.Shared}
	g.Status = from.Status
	return nil
}

// DeepCopyObject returns a deep copy.
func (g *Gadget) DeepCopyObject() runtime.Object {
	to := *g
	g.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	to.Spec.Shared = copyShared(g.Spec.Shared)
	to.Status = copyStatus(g.Status)
	return &to
}

// DeepCopyObject returns a deep copy.
func (g *OldGadget) DeepCopyObject() runtime.Object {
	to := *g
	g.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	to.Spec.Shared = copyShared(g.Spec.Shared)
	to.Status = copyStatus(g.Status)
	return &to
}

func copyShared(from Shared) Shared {
	to := from
	if from.Selector != nil {
		to.Selector = make(map[string]string, len(from.Selector))
		for key, value := range from.Selector {
			to.Selector[key] = value
		}
	}
	if from.Containers != nil {
		to.Containers = make([]Container, len(from.Containers))
		for at, container := range from.Containers {
			container.Args = append([]string(nil), container.Args...)
			container.Env = append([]Variable(nil), container.Env...)
			to.Containers[at] = container
		}
	}
	return to
}

func copyStatus(from Status) Status {
	to := from
	if from.Conditions != nil {
		to.Conditions = make([]metav1.Condition, len(from.Conditions))
		for at := range from.Conditions {
			from.Conditions[at].DeepCopyInto(&to.Conditions[at])
		}
	}
	return to
}
