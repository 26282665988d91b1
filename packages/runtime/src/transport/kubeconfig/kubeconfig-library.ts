// Exports only the class of client-node that is used, so that bundlers can omit all other code.
export { KubeConfig } from '@kubernetes/client-node';
