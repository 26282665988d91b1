import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ApiError, type StatusDetails } from '@kubewright/api/errors';
import { inInstallOrder, inSteps, isMissingNamespace } from './apply-objects.js';

const object = (kind: string, name: string): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: '', resourceVersion: '', creationTimestamp: '' },
});
const namespace = object('Namespace', 'a');
const deployment = object('Deployment', 'b');
const account = object('ServiceAccount', 'c');

describe('inSteps', () => {
  it('inSteps puts the definitions and the objects before them into the first step, and webhook configurations and policies into the last step', () => {
    const definitions = ['foos.example.com', 'bars.example.com'].map((name) =>
      object('CustomResourceDefinition', name),
    );
    const admission = [object('ValidatingWebhookConfiguration', 'd'), object('MutatingAdmissionPolicy', 'e')];
    const steps = inSteps(inInstallOrder([...admission, namespace, ...definitions, account, deployment]));
    assert.deepEqual(steps, {
      first: [namespace, ...definitions],
      definitions: ['foos.example.com', 'bars.example.com'],
      rest: [account, deployment],
      admission,
    });
  });
  it('inSteps puts all objects into the second step if there are no definitions', () => {
    const objects = [namespace, account, deployment];
    assert.deepEqual(inSteps(objects), { first: [], definitions: [], rest: objects, admission: [] });
  });
});

describe('isMissingNamespace', () => {
  const notFound = (message: string, details: StatusDetails, reason = 'NotFound'): ApiError =>
    new ApiError(
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404, reason, message, details },
      { attempted: 'apply ConfigMap all-namespaces/a' },
    );

  it('isMissingNamespace checks the kind in the details of the status, not the message', () => {
    const [kind, name] = ['namespaces', 'all-namespaces'];
    assert.equal(isMissingNamespace(notFound('namespaces "all-namespaces" not found', { kind, name })), true);
    assert.equal(isMissingNamespace(notFound('the server could not find the requested resource', {})), false);
    assert.equal(isMissingNamespace(notFound('', { kind, name }, 'Forbidden')), false);
    assert.equal(isMissingNamespace(new Error('namespaces "all-namespaces" not found')), false);
  });
});
