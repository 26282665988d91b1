// What of the Kubernetes client is used: those who bundle an operator need not take the rest.
export { KubeConfig } from '@kubernetes/client-node';
