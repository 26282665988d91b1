package main

import ctrl "sigs.k8s.io/controller-runtime"

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		LeaderElection:   true,
		LeaderElectionID: "cd1d9a9f.example.com",
	})
	_, _ = mgr, err
}
