import { describe } from 'node:test';
import { testDevelopingWebhooks } from '../command-line/developing-webhooks.js';

describe('kubewright dev --cluster with webhooks on a control plane', () => {
  testDevelopingWebhooks('control-plane');
});
