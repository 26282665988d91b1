package controller

// nodeFinalizer is put on Nodes.
const nodeFinalizer = "cache.example.com/node"

// +kubebuilder:rbac:groups=certificates.k8s.io,resources=certificatesigningrequests,verbs=create
