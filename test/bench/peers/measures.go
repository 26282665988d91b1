package main

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

func newQueue() workqueue.TypedRateLimitingInterface[reconcile.Request] {
	return workqueue.NewTypedRateLimitingQueueWithConfig(
		workqueue.DefaultTypedControllerRateLimiter[reconcile.Request](),
		workqueue.TypedRateLimitingQueueConfig[reconcile.Request]{},
	)
}

func byOwner(object client.Object) []string {
	for _, owner := range object.GetOwnerReferences() {
		return []string{string(owner.UID)}
	}
	return nil
}

func keyOf(object client.Object) reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKeyFromObject(object)}
}

func (w work) sync(ctx context.Context) figures {
	m := w.manager()
	run(ctx, m)
	queue := newQueue()
	go func() {
		for key, ended := queue.Get(); !ended; key, ended = queue.Get() {
			queue.Forget(key)
			queue.Done(key)
		}
	}()
	time.Sleep(300 * time.Millisecond)
	before, begun := heapBytes(), cpuMicros()
	object := w.object()
	must(m.GetFieldIndexer().IndexField(ctx, object, "owner", byOwner))
	informer, err := m.GetCache().GetInformer(ctx, object)
	must(err)
	var seen atomic.Int64
	add := func(changed any) {
		queue.Add(keyOf(changed.(client.Object)))
		seen.Add(1)
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: add, UpdateFunc: func(_, changed any) { add(changed) }})
	must(err)
	untilCount(&seen, w.Objects)
	f := figures{"syncMicros": float64(cpuMicros()-begun) / float64(w.Objects), "peakMegabytes": status("VmHWM")}
	time.Sleep(500 * time.Millisecond)
	f["heapBytes"] = (heapBytes() - before) / float64(w.Objects)
	if w.Count == 0 {
		return f
	}
	w.untilWatched()
	events := func(count int) {
		target := int(seen.Load()) + count
		w.pushEvents(count)
		untilCount(&seen, target)
	}
	events(w.WarmUp)
	f["eventMicros"] = microsEach(w.Count, func() { events(w.Count) })
	return f
}

// started starts a manager with one controller, and waits until it has reconciled every object once.
func (w work) started(ctx context.Context, reconciled func(context.Context, client.Client, reconcile.Request) error) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	m := w.manager()
	object := w.object()
	must(m.GetFieldIndexer().IndexField(ctx, object, "owner", byOwner))
	var seen atomic.Int64
	var queue workqueue.TypedRateLimitingInterface[reconcile.Request]
	opened := source.Func(func(_ context.Context, given workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		queue = given
		return nil
	})
	reconciler := reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		defer seen.Add(1)
		return reconcile.Result{}, reconciled(ctx, m.GetClient(), request)
	})
	options := controller.Options{MaxConcurrentReconciles: w.Concurrency}
	must(ctrl.NewControllerManagedBy(m).Named("bench").For(object).WatchesRawSource(opened).WithOptions(options).Complete(reconciler))
	run(ctx, m)
	untilCount(&seen, w.Objects)
	w.untilWatched()
	untilQuiet(func() int { return int(seen.Load()) })
	return queue
}

func (w work) latency(ctx context.Context) figures {
	var mutex sync.Mutex
	var delays []float64
	w.started(ctx, func(ctx context.Context, cached client.Client, request reconcile.Request) error {
		now := monotonicNanos()
		object := w.object()
		if err := cached.Get(ctx, request.NamespacedName, object); err != nil {
			return err
		}
		sent, err := strconv.ParseInt(object.GetAnnotations()["example.com/sent-at"], 10, 64)
		if err != nil {
			return nil // The object has no event yet.
		}
		mutex.Lock()
		defer mutex.Unlock()
		delays = append(delays, float64(now-sent)/1e6)
		return nil
	})
	measured := func() int {
		mutex.Lock()
		defer mutex.Unlock()
		return len(delays)
	}
	events := func(count int) {
		mutex.Lock()
		delays = nil
		mutex.Unlock()
		w.pushEvents(count)
		// The queue combines events of the same object, so fewer reconciles than events are possible.
		if measured() < count {
			untilQuiet(measured)
		}
	}
	events(w.WarmUp)
	micros := microsEach(w.Count, func() { events(w.Count) })
	sort.Float64s(delays)
	quantile := func(share float64) float64 { return delays[min(len(delays)-1, int(float64(len(delays))*share))] }
	return figures{"eventMicros": micros, "p50Ms": quantile(0.5), "p99Ms": quantile(0.99)}
}

// keys returns the keys of the first objects.
func (w work) keys(ctx context.Context, reader client.Reader) []types.NamespacedName {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(schema.GroupVersionKind{Group: webServices.Group, Version: webServices.Version, Kind: "WebServiceList"})
	if w.isPods() {
		list.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "PodList"})
	}
	must(reader.List(ctx, list))
	keys := make([]types.NamespacedName, len(list.Items))
	for at := range list.Items {
		keys[at] = client.ObjectKeyFromObject(&list.Items[at])
	}
	return keys
}

func (w work) client() client.Client {
	created, err := client.New(w.config(), client.Options{Scheme: scheme()})
	must(err)
	return created
}

func (w work) requests(ctx context.Context) figures {
	live := w.client()
	keys := w.keys(ctx, live)
	one := func(index int) error {
		key := keys[index%len(keys)]
		object := w.object()
		if w.Verb == "get" {
			return live.Get(ctx, key, object)
		}
		object.SetNamespace(key.Namespace)
		object.SetName(key.Name)
		patch := fmt.Sprintf(`{"status":{"readyReplicas":%d}}`, index)
		return live.Status().Patch(ctx, object, client.RawPatch(types.MergePatchType, []byte(patch)))
	}
	byHands(w.Concurrency, w.WarmUp, one)
	return figures{"micros": microsEach(w.Count, func() { byHands(w.Concurrency, w.Count, one) })}
}

func (w work) reconciles(ctx context.Context) figures {
	var round, patched atomic.Int64
	queue := w.started(ctx, func(ctx context.Context, cached client.Client, request reconcile.Request) error {
		if round.Load() == 0 {
			return nil
		}
		var service WebService
		if err := cached.Get(ctx, request.NamespacedName, &service); err != nil {
			return err
		}
		replicas := *service.Spec.Replicas + int32(round.Load())
		if service.Status.ReadyReplicas == replicas {
			return nil
		}
		before := service.DeepCopy()
		service.Status.ReadyReplicas = replicas
		if err := cached.Status().Patch(ctx, &service, client.MergeFrom(before)); err != nil {
			return err
		}
		patched.Add(1)
		return nil
	})
	keys := w.keys(ctx, w.client())
	all := func(count int) {
		round.Add(10)
		patched.Store(0)
		for _, key := range keys[:count] {
			queue.Add(reconcile.Request{NamespacedName: key})
		}
		untilCount(&patched, count)
	}
	all(w.WarmUp)
	untilQuiet(func() int { return int(patched.Load()) })
	return figures{"micros": microsEach(w.Count, func() { all(w.Count) })}
}

func (w work) reads(ctx context.Context) figures {
	m := w.manager()
	object := w.object()
	must(m.GetFieldIndexer().IndexField(ctx, object, "owner", byOwner))
	run(ctx, m)
	_, err := m.GetCache().GetInformer(ctx, object)
	must(err)
	cached := m.GetClient()
	keys := w.keys(ctx, w.client())
	gets := func() {
		for at := range w.Count {
			must(cached.Get(ctx, keys[(at*7919)%len(keys)], w.object()))
		}
	}
	const lists = 5
	listed := func() {
		for range lists {
			must(cached.List(ctx, w.list()))
		}
	}
	gets()
	listed()
	return figures{"getMicros": microsEach(w.Count, gets), "listMicros": microsEach(lists, listed)}
}

func (w work) pages(ctx context.Context) figures {
	live := w.client()
	all := func() {
		token, items := "", 0
		for {
			list := w.list()
			must(live.List(ctx, list, client.Limit(500), client.Continue(token)))
			items += meta.LenList(list)
			if token = list.GetContinue(); token == "" {
				break
			}
		}
		if items != w.Objects {
			must(fmt.Errorf("the pages contain %d of %d objects", items, w.Objects))
		}
	}
	all()
	return figures{"micros": microsEach(w.Objects, all)}
}

func (w work) queue() figures {
	queue := newQueue()
	keys := make([]reconcile.Request, 1000)
	for at := range keys {
		keys[at].Namespace, keys[at].Name = fmt.Sprintf("team-%d", at%211), fmt.Sprintf("svc-%d", at)
	}
	cycles := func(count int) {
		for at := range count {
			queue.Add(keys[at%len(keys)])
			key, _ := queue.Get()
			queue.Done(key)
		}
	}
	cycles(w.WarmUp)
	return figures{"micros": microsEach(w.Count, func() { cycles(w.Count) })}
}

func (w work) start(ctx context.Context) figures {
	m := w.manager()
	objects := []client.Object{&WebService{}}
	if w.Kinds > 1 {
		objects = nil
		for at := range w.Kinds {
			object := &unstructured.Unstructured{}
			object.SetGroupVersionKind(schema.GroupVersionKind{Group: "numbered.example.com", Version: "v1", Kind: "Numbered" + strconv.Itoa(at)})
			objects = append(objects, object)
		}
	}
	nothing := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil })
	for at, object := range objects {
		name := "controller-" + strconv.Itoa(at)
		must(ctrl.NewControllerManagedBy(m).Named(name).Watches(object, &handler.EnqueueRequestForObject{}).Complete(nothing))
	}
	run(ctx, m)
	untilSynced(ctx, m, objects)
	cpu := float64(cpuMicros()) / 1000
	time.Sleep(time.Duration(w.Seconds * float64(time.Second)))
	return figures{"cpuMs": cpu, "rssMegabytes": status("VmRSS")}
}

func untilSynced(ctx context.Context, m manager.Manager, objects []client.Object) {
	for _, object := range objects {
		_, err := m.GetCache().GetInformer(ctx, object)
		must(err)
	}
	if !m.GetCache().WaitForCacheSync(ctx) {
		panic("the caches were not synced")
	}
}
