// The kinds of the measured operator, as a user declares them.
import { type Condition, CustomResource, Field, Kind } from '@kubewright/api';

export class Variable {
  @Field.string() name!: string;
  @Field.string({ optional: true }) value?: string;
}
export class Resources {
  @Field.map(Field.string(), { optional: true }) limits?: Record<string, string>;
  @Field.map(Field.string(), { optional: true }) requests?: Record<string, string>;
}
export class WebServiceSpec {
  @Field.list(Variable, { optional: true }) env?: Variable[];
  @Field.string() image!: string;
  @Field.int32({ optional: true }) replicas?: number;
  @Field.object(Resources, { optional: true }) resources?: Resources;
}
export class WebServiceStatus {
  @Field.conditions() conditions?: Condition[];
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.int32({ optional: true }) readyReplicas?: number;
}
@Kind({ group: 'apps.example.com', version: 'v1alpha1' })
export class WebService extends CustomResource(WebServiceSpec, WebServiceStatus) {}
