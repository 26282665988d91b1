// Command verdicts runs inside a copy of the project of kubebuilder's multiversion tutorial. It sends generated CronJobs to the webhooks of
// the tutorial, with the reviews of an API server, and prints one line of JSON for each CronJob. See the README of the parent folder.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	batchv1 "tutorial.kubebuilder.io/project/api/v1"
	batchv2 "tutorial.kubebuilder.io/project/api/v2"
	webhookv1 "tutorial.kubebuilder.io/project/internal/webhook/v1"
	webhookv2 "tutorial.kubebuilder.io/project/internal/webhook/v2"
)

const group = "batch.tutorial.kubebuilder.io"

// generated is one line of the input: a CronJob, and an update of the CronJob, both as a client sends them.
type generated struct {
	Object json.RawMessage `json:"object"`
	Update json.RawMessage `json:"update"`
}

// verdict is what the webhooks return for one request. Invalid contains the fields of the causes of a rejection. Defaulted is the spec
// after the mutating webhook. Converted is the defaulted spec in the other version, and missing if the conversion fails.
type verdict struct {
	Invalid   []string       `json:"invalid"`
	Defaulted map[string]any `json:"defaulted"`
	Converted map[string]any `json:"converted,omitempty"`
}

type line struct {
	Name string `json:"name"`
	verdict
	Update verdict `json:"update"`
}

type header struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
}

func main() {
	// The conversions of the tutorial log each object.
	log.SetOutput(io.Discard)
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	server, err := webhooks()
	if err != nil {
		return err
	}
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var given generated
		if err := decoder.Decode(&given); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		object, err := headerOf(given.Object)
		if err != nil {
			return err
		}
		created, err := server.review(admissionv1.Create, given.Object, nil)
		if err != nil {
			return err
		}
		updated, err := server.review(admissionv1.Update, given.Update, given.Object)
		if err != nil {
			return err
		}
		if err := encoder.Encode(line{Name: object.Name, verdict: *created, Update: *updated}); err != nil {
			return err
		}
	}
}

// handler serves the webhooks that the tutorial registers.
type handler struct{ http.Handler }

// webhooks registers the webhooks of the tutorial with a manager. The manager does not start, so it never calls an API server.
func webhooks() (*handler, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{batchv1.AddToScheme, batchv2.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	manager, err := ctrl.NewManager(&rest.Config{Host: "127.0.0.1:1"}, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, err
	}
	for _, setUp := range []func(ctrl.Manager) error{
		webhookv1.SetupCronJobWebhookWithManager,
		webhookv2.SetupCronJobWebhookWithManager,
	} {
		if err := setUp(manager); err != nil {
			return nil, err
		}
	}
	return &handler{manager.GetWebhookServer().WebhookMux()}, nil
}

// review sends an object to the mutating, the validating and the conversion webhook of its version.
func (h *handler) review(operation admissionv1.Operation, object, old json.RawMessage) (*verdict, error) {
	kind, err := headerOf(object)
	if err != nil {
		return nil, err
	}
	mutated, err := h.admit("mutate", operation, object, old)
	if err != nil {
		return nil, err
	}
	if !mutated.Allowed {
		return nil, fmt.Errorf("the defaulter rejects %s: %v", kind.Name, mutated.Result)
	}
	defaulted, err := patched(object, mutated.Patch)
	if err != nil {
		return nil, err
	}
	validated, err := h.admit("validate", operation, defaulted, old)
	if err != nil {
		return nil, err
	}
	result := &verdict{Invalid: invalidFields(validated)}
	if validated.Allowed != (len(result.Invalid) == 0) {
		return nil, fmt.Errorf("the validator rejects %s without a field: %v", kind.Name, validated.Result)
	}
	if result.Defaulted, err = specOf(defaulted); err != nil {
		return nil, err
	}
	converted, err := h.convert(defaulted, otherVersion(kind.APIVersion))
	if err != nil || converted == nil {
		return result, err
	}
	if result.Converted, err = specOf(converted); err != nil {
		return nil, err
	}
	return result, h.sameVerdict(converted, result.Invalid)
}

// sameVerdict checks that the validator of the other version rejects the same fields. The example has one validator for both versions.
func (h *handler) sameVerdict(converted json.RawMessage, invalid []string) error {
	validated, err := h.admit("validate", admissionv1.Create, converted, nil)
	if err != nil {
		return err
	}
	if fields := invalidFields(validated); !slices.Equal(fields, invalid) {
		return fmt.Errorf("the validators of the two versions differ: %v and %v", invalid, fields)
	}
	return nil
}

func (h *handler) admit(action string, operation admissionv1.Operation, object, old json.RawMessage) (*admissionv1.AdmissionResponse, error) {
	kind, err := headerOf(object)
	if err != nil {
		return nil, err
	}
	version := kind.GroupVersionKind().Version
	request := &admissionv1.AdmissionRequest{
		UID:       "1",
		Kind:      metav1.GroupVersionKind{Group: group, Version: version, Kind: "CronJob"},
		Resource:  metav1.GroupVersionResource{Group: group, Version: version, Resource: "cronjobs"},
		Name:      kind.Name,
		Namespace: kind.Namespace,
		Operation: operation,
		Object:    runtime.RawExtension{Raw: object},
	}
	if old != nil {
		request.OldObject = runtime.RawExtension{Raw: old}
	}
	review := &admissionv1.AdmissionReview{Request: request}
	review.SetGroupVersionKind(admissionv1.SchemeGroupVersion.WithKind("AdmissionReview"))
	answer := &admissionv1.AdmissionReview{}
	path := fmt.Sprintf("/%s-batch-tutorial-kubebuilder-io-%s-cronjob", action, version)
	if err := h.call(path, review, answer); err != nil {
		return nil, err
	}
	return answer.Response, nil
}

// conversionReview contains the fields of a ConversionReview of apiextensions.k8s.io/v1 that this program needs. The go.mod of the tutorial
// does not require the module that declares ConversionReview.
type conversionReview struct {
	metav1.TypeMeta `json:",inline"`
	Request         *conversionRequest  `json:"request,omitempty"`
	Response        *conversionResponse `json:"response,omitempty"`
}
type conversionRequest struct {
	UID               string            `json:"uid"`
	DesiredAPIVersion string            `json:"desiredAPIVersion"`
	Objects           []json.RawMessage `json:"objects"`
}
type conversionResponse struct {
	ConvertedObjects []json.RawMessage `json:"convertedObjects"`
	Result           metav1.Status     `json:"result"`
}

// convert returns the object in another version, or nil if the webhook reports a failure.
func (h *handler) convert(object json.RawMessage, apiVersion string) (json.RawMessage, error) {
	review := &conversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"},
		Request:  &conversionRequest{UID: "1", DesiredAPIVersion: apiVersion, Objects: []json.RawMessage{object}},
	}
	answer := &conversionReview{}
	if err := h.call("/convert", review, answer); err != nil {
		return nil, err
	}
	if answer.Response.Result.Status != metav1.StatusSuccess {
		return nil, nil
	}
	return answer.Response.ConvertedObjects[0], nil
}

func (h *handler) call(path string, review, answer any) error {
	body, err := json.Marshal(review)
	if err != nil {
		return err
	}
	request := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	if recorder.Code != http.StatusOK {
		return fmt.Errorf("%s returns %d: %s", path, recorder.Code, recorder.Body)
	}
	return json.Unmarshal(recorder.Body.Bytes(), answer)
}

func headerOf(object json.RawMessage) (*header, error) {
	read := &header{}
	return read, json.Unmarshal(object, read)
}

func otherVersion(apiVersion string) string {
	if apiVersion == group+"/v1" {
		return group + "/v2"
	}
	return group + "/v1"
}

func patched(object json.RawMessage, patch []byte) (json.RawMessage, error) {
	if len(patch) == 0 {
		return object, nil
	}
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	return operations.Apply(object)
}

func invalidFields(response *admissionv1.AdmissionResponse) []string {
	fields := []string{}
	if response.Result != nil && response.Result.Details != nil {
		for _, cause := range response.Result.Details.Causes {
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

// specOf returns the spec without the Job template. Numbers keep their digits, and JSON has the fields in alphabetical order.
func specOf(object json.RawMessage) (map[string]any, error) {
	read := struct {
		Spec map[string]any `json:"spec"`
	}{}
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	err := decoder.Decode(&read)
	delete(read.Spec, "jobTemplate")
	return read.Spec, err
}
