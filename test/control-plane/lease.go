package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// actPeriod is the interval between two actions of a leader.
const actPeriod = 20 * time.Millisecond

// contender contends for one Lease with client-go's leader election. It prints when it leads, acts, and stops, with the
// monotonic time of the machine. After it has lost the Lease, it contends again with another identity.
func contender(args []string) int {
	flags := flag.NewFlagSet("contender", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "path of the kubeconfig")
	namespace := flags.String("namespace", "default", "namespace of the Lease")
	name := flags.String("name", "", "name of the Lease")
	identity := flags.String("identity", "", "identity of the contender")
	duration := flags.Duration("duration", 15*time.Second, "duration of the Lease")
	renewDeadline := flags.Duration("renew-deadline", 10*time.Second, "time after which a leader that cannot renew the Lease stops leading")
	retryPeriod := flags.Duration("retry-period", 2*time.Second, "interval between attempts")
	release := flags.Bool("release", false, "release the Lease at the end")
	_ = flags.Parse(args[1:])

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// The same timeout as in controller-runtime.
	config.Timeout = max(time.Second, *renewDeadline/2)
	client := kubernetes.NewForConfigOrDie(config)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	for term := 1; ctx.Err() == nil; term++ {
		id := fmt.Sprintf("%s-%d", *identity, term)
		work := newWork(id)
		elected, cancel := context.WithCancel(context.Background())
		go func() {
			// The work that the Lease guards must end before the Lease is released.
			<-ctx.Done()
			work.stop()
			cancel()
		}()
		leaderelection.RunOrDie(elected, leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Namespace: *namespace, Name: *name},
				Client:     client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: id},
			},
			LeaseDuration:   *duration,
			RenewDeadline:   *renewDeadline,
			RetryPeriod:     *retryPeriod,
			ReleaseOnCancel: *release,
			Name:            *name,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { work.start() },
				OnStoppedLeading: work.stop,
			},
		})
		cancel()
	}
	return 0
}

// work performs the actions of a leader.
type work struct {
	identity string
	begin    chan struct{}
	end      chan struct{}
	ended    chan struct{}
}

func newWork(identity string) *work {
	w := &work{identity, make(chan struct{}), make(chan struct{}, 2), make(chan struct{})}
	go w.run()
	return w
}

func (w *work) start() {
	select {
	case w.begin <- struct{}{}:
	case <-w.ended:
	}
}

// stop returns after the last action.
func (w *work) stop() {
	select {
	case w.end <- struct{}{}:
	default:
	}
	<-w.ended
}

func (w *work) run() {
	defer close(w.ended)
	select {
	case <-w.begin:
	case <-w.end:
		return
	}
	w.say("lead")
	defer w.say("stop")
	ticker := time.NewTicker(actPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-w.end:
			return
		case <-ticker.C:
			select {
			case <-w.end:
				return
			default:
				w.say("act")
			}
		}
	}
}

func (w *work) say(what string) {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	line, _ := json.Marshal(map[string]any{"what": what, "identity": w.identity, "atMs": float64(now.Nano()) / 1e6})
	fmt.Println(string(line))
}
