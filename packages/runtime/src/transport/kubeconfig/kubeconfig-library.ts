// Exports only the class of client-node that is needed, so that bundlers can omit all other code.
export { KubeConfig } from '@kubernetes/client-node';
