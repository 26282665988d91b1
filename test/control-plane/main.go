// Command control-plane contains all components of a Kubernetes control plane in one binary. It runs the component
// that the name of the program or the first argument names.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	_ "time/tzdata" // CronJob time zones
)

var components = map[string]func(args []string) int{
	"etcd": func(args []string) int {
		etcdmain.Main(args)
		return 0
	},
	"kube-apiserver":          command(apiserver.NewAPIServerCommand),
	"kube-controller-manager": command(controllermanager.NewControllerManagerCommand),
	"kube-scheduler":          command(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
	"kwok":                    kwok,
	"kubectl":                 kubectl,
	"kwok-stages":             kwokStages,
	"contender":               contender,
}

func command(build func() *cobra.Command) func([]string) int {
	return func(args []string) int {
		os.Args = args
		return cli.Run(build())
	}
}

func main() {
	if os.Getenv("END_WITH_STDIN") != "" {
		go endWithStdin()
	}
	args := append([]string(nil), os.Args...)
	args[0] = filepath.Base(args[0])
	if _, ok := components[args[0]]; !ok && len(args) > 1 {
		args = args[1:]
	}
	run, ok := components[args[0]]
	if !ok {
		names := make([]string, 0, len(components))
		for name := range components {
			names = append(names, name)
		}
		sort.Strings(names)
		fmt.Fprintf(os.Stderr, "usage: %s %s [flags]\n", filepath.Base(os.Args[0]), strings.Join(names, "|"))
		os.Exit(2)
	}
	os.Exit(run(args))
}

// endWithStdin ends the process when its parent process has ended for any reason.
func endWithStdin() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}
