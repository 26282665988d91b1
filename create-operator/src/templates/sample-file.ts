import { groupOf } from '../scaffold/kind-names.js';
import type { KindFilesOptions } from '../scaffold/scaffold-options.js';

/** Returns the sample of a kind, which the user maintains. The sample also contains optional fields. */
export function sampleFile(options: KindFilesOptions): string {
  const { kind, version } = options;
  return `apiVersion: ${groupOf(options)}/${version}
kind: ${kind}
metadata:
  name: ${kind.toLowerCase()}-sample
spec:
  image: nginx:1.29-alpine
  replicas: 2
`;
}
