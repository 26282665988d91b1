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

// How often a leader does what only a leader may do.
const actPeriod = 20 * time.Millisecond

// contender contends for one Lease as client-go's users do, and says on stdout, with the monotonic time of the
// machine, when it leads, acts and stops. It contends again, by another name, when it has lost.
func contender(args []string) int {
	flags := flag.NewFlagSet("contender", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "how the server is reached")
	namespace := flags.String("namespace", "default", "of the Lease")
	name := flags.String("name", "", "of the Lease")
	identity := flags.String("identity", "", "who contends")
	duration := flags.Duration("duration", 15*time.Second, "of the lease")
	renewDeadline := flags.Duration("renew-deadline", 10*time.Second, "after which a leader gives up")
	retryPeriod := flags.Duration("retry-period", 2*time.Second, "between tries")
	release := flags.Bool("release", false, "whether the lease is released in the end")
	_ = flags.Parse(args[1:])

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// As controller-runtime has it.
	config.Timeout = max(time.Second, *renewDeadline/2)
	client := kubernetes.NewForConfigOrDie(config)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	for term := 1; ctx.Err() == nil; term++ {
		id := fmt.Sprintf("%s-%d", *identity, term)
		work := newWork(id)
		elected, cancel := context.WithCancel(context.Background())
		go func() {
			// What the lease guards has to have ended before it is given up.
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

// work is what only the leader may do.
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

// stop returns when nothing is done any more.
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
