import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { minorVersions, recordedVersions, resolveKubernetesVersion } from './resolve-kubernetes-version.js';

describe('resolveKubernetesVersion', () => {
  it('returns the default version without a text', () => {
    const { minor, version, gitVersion, recorded } = resolveKubernetesVersion();
    assert.deepEqual([minor, version, gitVersion, recorded], [36, '1.36.3', 'v1.36.3+kubewright', '1.36.3']);
  });
  it('returns the recorded patch of a minor version', () => {
    assert.deepEqual(
      minorVersions.map((text) => resolveKubernetesVersion(text).version),
      recordedVersions,
    );
  });
  it('keeps a patch version, and accepts the prefix v', () => {
    for (const text of ['1.36.12', 'v1.36.12']) {
      const { minor, version, recorded } = resolveKubernetesVersion(text);
      assert.deepEqual([minor, version, recorded], [36, '1.36.12', '1.36.3']);
    }
  });
  it('throws INVALID_VERSION with the valid choices in one line', () => {
    for (const text of ['1.34', '2.36', '1', '', '1.36.x', '1.36.1.1', '1.36.1-rc.0', 'latest', '11.36', ' 1.36']) {
      assert.throws(() => resolveKubernetesVersion(text), {
        code: 'INVALID_VERSION',
        message: `cannot serve Kubernetes version '${text}'; use 1.35, 1.36 or 1.37, or a patch version such as 1.36.3`,
      });
    }
  });
});
