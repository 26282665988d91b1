package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

type validator struct{}

func (validator) ValidateCreate(_ context.Context, gadget *Gadget) (admission.Warnings, error) {
	return nil, validate(gadget)
}

func (validator) ValidateUpdate(_ context.Context, _, gadget *Gadget) (admission.Warnings, error) {
	return nil, validate(gadget)
}

func (validator) ValidateDelete(context.Context, *Gadget) (admission.Warnings, error) {
	return nil, nil
}

func validate(gadget *Gadget) error {
	var problems field.ErrorList
	spec := field.NewPath("spec")
	if gadget.Spec.Replicas > gadget.Spec.MaxReplicas {
		problems = append(problems, field.Invalid(spec.Child("replicas"), gadget.Spec.Replicas, "is more than maxReplicas"))
	}
	names := map[string]bool{}
	for at, container := range gadget.Spec.Containers {
		if names[container.Name] {
			problems = append(problems, field.Duplicate(spec.Child("containers").Index(at).Child("name"), container.Name))
		}
		names[container.Name] = true
	}
	if len(problems) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: "bench.dev", Kind: "Gadget"}, gadget.Name, problems)
}

type defaulter struct{}

func (defaulter) Default(_ context.Context, gadget *Gadget) error {
	if gadget.Spec.Strategy == "" {
		gadget.Spec.Strategy = "Rolling"
	}
	for at := range gadget.Spec.Containers {
		if gadget.Spec.Containers[at].PullPolicy == "" {
			gadget.Spec.Containers[at].PullPolicy = "IfNotPresent"
		}
	}
	return nil
}

// serveWebhooks serves the measured webhooks on a port with the certificate in a folder. It prints the CPU time of this process in
// microseconds for each line of the standard input, and ends with the standard input.
func serveWebhooks(port int, folder string) {
	log.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	group := schema.GroupVersion{Group: "bench.dev", Version: "v1"}
	scheme.AddKnownTypeWithName(group.WithKind("Gadget"), &Gadget{})
	scheme.AddKnownTypeWithName(schema.GroupVersion{Group: "bench.dev", Version: "v1beta1"}.WithKind("Gadget"), &OldGadget{})

	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: folder})
	server.Register("/validate-bench-dev-v1-gadget", admission.WithValidator[*Gadget](scheme, validator{}))
	server.Register("/mutate-bench-dev-v1-gadget", admission.WithDefaulter[*Gadget](scheme, defaulter{}))
	server.Register("/convert", conversion.NewWebhookHandler(scheme, conversion.NewRegistry()))

	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Start(ctx) }()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(cpuMicros())
	}
	stop()
	must(<-ended)
}
