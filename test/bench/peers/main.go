// Runs one measurement of the benchmarks with controller-runtime and client-go, and prints its figures. The argument is a work as JSON; see
// test/bench/operator/work.ts. The Kubewright program measures the same works in test/bench/operator/operator.ts.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type work struct {
	Mode        string
	Kind        string
	Objects     int
	Count       int
	WarmUp      int
	Rate        int
	Concurrency int
	Verb        string
	Kinds       int
	Seconds     float64
	Server      string
	Ca          string
	Control     string
	Port        int
	Folder      string
}

func main() {
	w := work{Concurrency: 1, Kinds: 1}
	must(json.Unmarshal([]byte(os.Args[1]), &w))
	log.SetLogger(logr.Discard())
	ctx := context.Background()
	switch w.Mode {
	case "webhooks":
		serveWebhooks(w.Port, w.Folder)
	case "sync":
		report(w.sync(ctx))
	case "latency":
		report(w.latency(ctx))
	case "requests":
		report(w.requests(ctx))
	case "reconciles":
		report(w.reconciles(ctx))
	case "reads":
		report(w.reads(ctx))
	case "pages":
		report(w.pages(ctx))
	case "queue":
		report(w.queue())
	case "start":
		report(w.start(ctx))
	default:
		panic("unknown mode " + w.Mode)
	}
}

func (w work) isPods() bool { return w.Kind == "pods" }

func (w work) object() client.Object {
	if w.isPods() {
		return &corev1.Pod{}
	}
	return &WebService{}
}

func (w work) list() client.ObjectList {
	if w.isPods() {
		return &corev1.PodList{}
	}
	return &WebServiceList{}
}

func scheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	addWebServices(scheme)
	return scheme
}

// config has no limit on the rate of requests, because Kubewright has none.
func (w work) config() *rest.Config {
	return &rest.Config{
		Host:            w.Server,
		BearerToken:     "bench",
		QPS:             -1,
		TLSClientConfig: rest.TLSClientConfig{CAData: []byte(w.Ca)},
	}
}

// manager returns a manager with the defaults of controller-runtime. The cache drops managedFields, as the cache of Kubewright does.
func (w work) manager() manager.Manager {
	created, err := ctrl.NewManager(w.config(), ctrl.Options{
		Scheme:                 scheme(),
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		Cache:                  cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	})
	must(err)
	return created
}

func run(ctx context.Context, m manager.Manager) {
	go func() { must(m.Start(ctx)) }()
	<-m.Elected()
}
