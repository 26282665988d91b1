import { groupOf } from '../scaffold/kind-names.js';
import type { KindFilesOptions } from '../scaffold/scaffold-options.js';

/** Returns the class of a custom kind, with the fields of its spec and its status. */
export function apiFile(options: KindFilesOptions): string {
  const { kind, version, namespaced } = options;
  const scope = namespaced ? '' : ", scope: 'Cluster'";
  const namespace = namespaced
    ? ''
    : `
  /** Namespace of the Deployment. */
  @Field.string({ minLength: 1 }) namespace: Default<string> = 'default';`;
  return `import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';

export class ${kind}Spec {
  /** Container image to run. */
  @Field.string({ minLength: 1 }) image: Default<string> = 'nginx:1.29-alpine';
  /** Desired number of Pods. */
  @Field.int32({ minimum: 0, maximum: 10 }) replicas: Default<number> = 1;${namespace}
}

export class ${kind}Status {
  /** Number of ready Pods. */
  @Field.int32({ optional: true }) readyReplicas?: number;
  /** Generation of the spec that the controller last reconciled. */
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: '${groupOf(options)}', version: '${version}'${scope} })
@PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
@PrintColumn({ name: 'Desired', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', jsonPath: '.status.readyReplicas' })
export class ${kind} extends CustomResource(${kind}Spec, ${kind}Status) {}
`;
}
