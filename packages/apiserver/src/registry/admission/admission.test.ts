import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { Store } from '../../storage/store.js';
import { Registry } from '../registry.js';
import { type RequestContext, systemContext } from '../requests/request-context.js';
import type { AdmissionPlugins } from './admission.js';
import type { AdmissionRequest, Mutator } from './admission-check.js';

const sent: RequestContext = { ...systemContext('test', 'create'), unreviewed: false };

/** Returns plugins that append their calls to `calls`. In the first round, the mutators that `changes` selects set a label. */
function recording(
  calls: string[],
  changes: { readonly policy?: boolean; readonly webhook?: boolean },
): AdmissionPlugins {
  const mutator =
    (name: string, isChanged: boolean): Mutator =>
    ({ object }) =>
      function* (isAgain): Steps<boolean> {
        calls.push(`${name}${isAgain ? ' again' : ''}`);
        yield;
        if (isAgain || !isChanged || object === undefined) return false;
        object.metadata.labels = { ...object.metadata.labels, [name]: 'x' };
        return true;
      };
  const validator = (name: string) =>
    function* ({ object }: AdmissionRequest): Steps<void> {
      yield;
      calls.push(`${name} ${object?.metadata.uid === undefined ? 'without' : 'with'} uid`);
    };
  return {
    admission: [() => calls.push('check')],
    mutators: [mutator('policy', changes.policy === true), mutator('webhook', changes.webhook === true)],
    lastChecks: [() => calls.push('last')],
    validators: [validator('validating-policy'), validator('validating-webhook')],
    charges: [
      function* () {
        yield;
        calls.push('charge');
        return [];
      },
    ],
  };
}

function created(plugins: AdmissionPlugins, context: RequestContext) {
  const registry = new Registry({ store: new Store(), clock: new SystemClock(), ...plugins });
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } };
  return finish(registry.builtIn('/v1/namespaces').createSteps(body, context));
}

test('runs checks, mutators, last checks, validators and quotas in the order of kube-apiserver', () => {
  const calls: string[] = [];
  created(recording(calls, {}), sent);
  const reviews = ['check', 'policy', 'webhook', 'last', 'validating-policy with uid', 'validating-webhook with uid'];
  assert.deepEqual(calls, [...reviews, 'charge', 'last']);
});

test('runs checks and mutators a second time if a mutator changes the object, and stores the change', () => {
  for (const change of ['policy', 'webhook'] as const) {
    const calls: string[] = [];
    const { metadata } = created(recording(calls, { [change]: true }), sent);
    assert.equal(metadata.labels?.[change], 'x');
    assert.deepEqual(calls.slice(0, 6), ['check', 'policy', 'webhook', 'check', 'policy again', 'webhook again']);
  }
});

test('runs checks and quotas, but no policies or webhooks, for a write of the server itself', () => {
  const calls: string[] = [];
  created(recording(calls, { policy: true }), systemContext('test', 'create'));
  assert.deepEqual(calls, ['check', 'last', 'charge', 'last']);
});
