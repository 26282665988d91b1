import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileMatchErrors, seccompPodAnnotation } from './profile-annotations.js';

test('the annotation of a seccomp profile matches the type of the profile', () => {
  const errorsOf = (type: string) => {
    const metadata = { annotations: { [seccompPodAnnotation]: 'runtime/default' } };
    const spec = { securityContext: { seccompProfile: { type } } };
    return profileMatchErrors(metadata, spec, 'spec').map(({ field, message }) => `${field}: ${message}`);
  };
  const differs =
    'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match';
  assert.deepEqual(errorsOf('RuntimeDefault'), []);
  assert.deepEqual(errorsOf('Unconfined'), [differs]);
  // Another rule reports the unknown type.
  assert.deepEqual(errorsOf('constructor'), []);
});
