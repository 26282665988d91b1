// Exports only the part of client-node that is used, so that bundlers can omit the rest.
export { KubeConfig } from '@kubernetes/client-node';
