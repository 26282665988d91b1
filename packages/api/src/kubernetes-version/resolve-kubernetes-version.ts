import { KubewrightError } from '../errors/kubewright-error.js';

/** The versions from which the data of the package was recorded, one for each supported minor version. */
export const recordedVersions = ['1.35.4', '1.36.3', '1.37.2'] as const;
/** The version whose data is complete. The data of the other versions consists of the differences from this version. */
export const defaultVersion = '1.36.3';

/** A version of Kubernetes that a server emulates. */
export interface KubernetesVersion {
  /** The minor version, such as 36. */
  readonly minor: number;
  /** The complete version, such as '1.36.3'. */
  readonly version: string;
  /** The version with the suffix of this server, such as 'v1.36.3+kubewright'. */
  readonly gitVersion: string;
  /** The version from which the data of the minor version was recorded, such as '1.36.3'. */
  readonly recorded: (typeof recordedVersions)[number];
}

/** The supported minor versions, such as '1.36'. */
export const minorVersions: readonly string[] = recordedVersions.map((version) => minorOf(version));

/**
 * Returns the version for a text such as '1.36', '1.36.2' or 'v1.36.2'. A minor version without a patch selects the recorded patch. All
 * patches of a minor version have the same data. Throws INVALID_VERSION for other texts and for minor versions without data.
 */
export function resolveKubernetesVersion(text: string = defaultVersion): KubernetesVersion {
  const requested = text.replace(/^v/, '');
  const recorded = /^\d+\.\d+(\.\d+)?$/.test(requested)
    ? recordedVersions.find((version) => minorOf(version) === minorOf(requested))
    : undefined;
  if (recorded === undefined) {
    const choices = minorVersions.join(', ').replace(/, (?=[^,]*$)/, ' or ');
    throw new KubewrightError(
      'INVALID_VERSION',
      `cannot serve Kubernetes version '${text}'; use ${choices}, or a patch version such as ${defaultVersion}`,
    );
  }
  const version = requested === minorOf(requested) ? recorded : requested;
  return { minor: Number(recorded.split('.')[1]), version, gitVersion: `v${version}+kubewright`, recorded };
}

/** Returns '1.36' for '1.36.3'. */
function minorOf(version: string): string {
  return version.split('.', 2).join('.');
}
