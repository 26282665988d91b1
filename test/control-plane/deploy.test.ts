import { describe } from 'node:test';
import { testDeploying } from '../command-line/deploying.js';

describe('install, deploy and their opposites on a real control plane', () => {
  testDeploying('control-plane');
});
