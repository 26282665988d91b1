import type { KubernetesVersion } from '@kubewright/api/kubernetes-version';

/** Returns the document of /version for the Kubernetes version that a server emulates. */
export function serverVersion({ minor, gitVersion }: KubernetesVersion) {
  return {
    major: '1',
    minor: String(minor),
    emulationMajor: '1',
    emulationMinor: String(minor),
    minCompatibilityMajor: '1',
    minCompatibilityMinor: String(minor - 1),
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  } as const;
}
