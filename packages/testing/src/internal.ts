// What tests of this project build on. It may change in any version; programs use '@kubewright/testing'.
export { KeptPorts } from './control-plane/kept-ports.js';
