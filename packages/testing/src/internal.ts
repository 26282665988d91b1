// Exports for tests of this project. They may change in any version; programs import '@kubewright/testing'.
export { KeptPorts } from './control-plane/kept-ports.js';
