import { AtLeastOneOf, CustomResource, Field, Kind } from '@kubewright/api';
import { PodTemplateSpec } from '@kubewright/api/core/v1';

const Name = Field.custom('Name', Field.string({ minLength: 2, pattern: /^a/ }));

@AtLeastOneOf('a-b', 'in')
class Target {
  @Field.string({ optional: true }) 'a-b'?: string;
  @Field.string({ optional: true, immutable: true }) in?: string;
}
class Open {
  @Field.string({ optional: true }) known?: string;
}
class EdgesSpec {
  @Name({ minLength: 3, pattern: /z$/ }) name!: string;
  @Field.enum(['a', 'b'], { optional: true, nullable: true }) zone?: 'a' | 'b' | null;
  @Field.enum([1, 'many'], { optional: true }) mixed?: 1 | 'many';
  @Field.list(Field.int32({ rules: [{ rule: 'self > 0', message: 'is above 0' }] }), { optional: true })
  ports?: number[];
  @Field.object(PodTemplateSpec, { optional: true }) template?: PodTemplateSpec;
  @Field.object(Target, { optional: true }) target?: Target;
  @Field.object(Open, { optional: true, preserveUnknownFields: true }) open?: Open;
}
/** A kind with the features of decorators that the definitions of controller-tools do not cover. */
@Kind({ group: 'edges.example.com', version: 'v1', plural: 'edges' })
export class Edges extends CustomResource(EdgesSpec) {}
