// The fields of the smaller packages of pkg/crd/testdata of controller-tools, with decorators.
import { CustomResource, type Default, Field, Kind, Schema } from '@kubewright/api';

const group = 'testdata.kubebuilder.io';

class NestedStruct {
  @Field.string() key!: string;
  @Field.string() value!: string;
}
class ImmutableSpec {
  @Field.string({ immutable: true }) requiredString!: string;
  @Field.string({ immutable: true, optional: true }) optionalString?: string;
  @Field.string({ immutable: true, optional: true }) optionalLiteralString?: string;
  @Field.object(NestedStruct, { immutable: true }) requiredStruct!: NestedStruct;
  @Field.object(NestedStruct, { immutable: true, optional: true }) optionalStruct?: NestedStruct;
  @Field.object(NestedStruct, { immutable: true, optional: true }) optionalOmitZeroStruct?: NestedStruct;
  @Field.list(Field.string(), { immutable: true }) requiredSlice!: string[];
  @Field.list(Field.string(), { immutable: true, optional: true }) optionalSlice?: string[];
  @Field.map(Field.string(), { immutable: true }) requiredMap!: Record<string, string>;
  @Field.map(Field.string(), { immutable: true, optional: true }) optionalMap?: Record<string, string>;
  @Field.string() mutableString!: string;
}
@Kind({ group, version: 'v1' })
export class ImmutableType extends CustomResource(ImmutableSpec) {}

class EnumSpec {
  @Field.enum(['Value1', 'Value2'], { optional: true }) field?: 'Value1' | 'Value2';
}
@Kind({ group, version: 'v1' })
export class Enum extends CustomResource(EnumSpec, undefined, { specOptional: true }) {}

const DocumentedText = Field.custom(
  'DocumentedText',
  Field.string({ externalDocs: { url: 'https://example.com/type-docs', description: 'type-level external docs' } }),
);
class ExternalDocSpec {
  @Field.string({
    optional: true,
    externalDocs: { url: 'https://example.com/docs', description: 'external docs description' },
  })
  fieldWithExternalDoc?: string;
  @Field.string({ optional: true, externalDocs: { url: 'https://example.com/docs' } })
  fieldWithExternalDocURLOnly?: string;
  @DocumentedText({ optional: true }) typeWithExternalDoc?: string;
}
@Kind({ group, version: 'v1' })
export class ExternalDoc extends CustomResource(ExternalDocSpec, undefined, { specOptional: true }) {}

class InnerStruct {
  @Field.string({ optional: true }) foo?: string;
}
class OuterStruct {
  @Field.object(InnerStruct, { mapType: 'atomic', optional: true }) struct?: InnerStruct;
}
class VersionedResourceSpec {
  @Field.object(OuterStruct, { optional: true }) struct?: OuterStruct;
}
@Schema({})
class NoStatus {}
@Kind({ group, version: 'v1beta1', kind: 'VersionedResource' })
export class VersionedResourceBeta1 extends CustomResource(VersionedResourceSpec, NoStatus) {}
@Kind({ group, version: 'v1beta2', kind: 'VersionedResource', storage: true })
export class VersionedResourceBeta2 extends CustomResource(VersionedResourceSpec, NoStatus) {}

@Schema({})
class NoSpec {}
@Kind({ group: 'plural.example.com', version: 'v1' })
export class TestQuota extends CustomResource(NoSpec, undefined, { specOptional: true }) {}

class DefaultedSpec {
  @Field.int32() replicas: Default<number> = 3;
  @Field.string({ optional: true }) zone?: string;
}
class DefaultedStatus {
  @Field.int64({ optional: true }) observedGeneration?: number;
}
@Kind({ group, version: 'v1' })
export class Defaulted extends CustomResource(DefaultedSpec, DefaultedStatus, {
  specDefault: {},
  statusDefault: { observedGeneration: -1 },
}) {}
@Kind({ group, version: 'v1' })
export class RequiredDefaulted extends CustomResource(DefaultedSpec, undefined, {
  specDefault: { replicas: 5, zone: 'a' },
}) {}
