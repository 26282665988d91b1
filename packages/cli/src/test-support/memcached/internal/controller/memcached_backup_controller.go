package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"

	cachev1alpha1 "github.com/example/memcached-operator/api/cache/v1alpha1"
)

type MemcachedBackupReconciler struct{}

// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch

func (r *MemcachedBackupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (r *MemcachedBackupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&cachev1alpha1.Memcached{}).Named("memcached-backup").Complete(r)
}
