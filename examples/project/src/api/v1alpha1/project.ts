import { CustomResource, Field, Kind, PrintColumn } from '@kubewright/api';

export class ProjectSpec {
  /** How many there are to be of it. */
  @Field.int32({ minimum: 1 }) replicas!: number;
}

@Kind({ group: 'examples-gzh.com', version: 'v1alpha1' })
@PrintColumn({ name: 'Replicas', jsonPath: '.spec.replicas' })
export class Project extends CustomResource(ProjectSpec) {}
