import { CustomResource, Field, Kind, PrintColumn } from '@kubewright/api';

export class ProjectSpec {
  /** Desired number of replicas. */
  @Field.int32({ minimum: 1 }) replicas!: number;
}

@Kind({ group: 'examples-gzh.com', version: 'v1alpha1' })
@PrintColumn({ name: 'Replicas', jsonPath: '.spec.replicas' })
export class Project extends CustomResource(ProjectSpec) {}
