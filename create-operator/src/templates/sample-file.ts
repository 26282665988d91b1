import { groupOf } from '../scaffold/kind-names.js';
import type { KindFilesOptions } from '../scaffold/scaffold-options.js';

/** The sample of a kind, which belongs to the user: what can be said of an object, and not only what must be. */
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
