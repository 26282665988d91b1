import { describe } from 'node:test';
import { testMigratingStorage } from '../command-line/migrating-storage.js';

describe('kubewright migrate-storage on a control plane', () => {
  testMigratingStorage('control-plane');
});
