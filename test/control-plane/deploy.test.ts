import { describe } from 'node:test';
import { testDeploying } from '../command-line/deploying.js';

describe('install, deploy, uninstall, and undeploy on a real control plane', () => {
  testDeploying('control-plane');
});
