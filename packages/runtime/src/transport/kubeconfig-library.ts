// What of the Kubernetes client is used: those who bundle an operator need not take the rest.
export { dumpYaml, KubeConfig, loadYaml } from '@kubernetes/client-node';
