// The fields of pkg/crd/testdata/cronjob_types.go of controller-tools, in the same order, with decorators.
import {
  CustomResource,
  type Default,
  Field,
  Kind,
  type KubeObject,
  Rule,
  Schema,
  SelectableField,
} from '@kubewright/api';
import { ObjectReference } from '@kubewright/api/core/v1';

const Bytes = Field.custom('Bytes', Field.string({ format: 'byte' }));
const LongerString = Field.custom('LongerString', Field.string({ minLength: 4 }));
const ValidatedString = Field.custom('ValidatedString', Field.string({ minLength: 1, maxLength: 255 }));
const TitledString = Field.custom('TitledString', Field.string({ title: 'title on type' }));
const EvenString = Field.custom(
  'EvenString',
  Field.string({ rules: [{ rule: 'self.size() % 2 == 0', message: 'must have even length' }] }),
);
const Mixed = Field.custom('Mixed', Field.enum([1, 2, 'foo', 'bar']));
const Hosts = Field.custom(
  'Hosts',
  Field.list(
    Field.string({
      minLength: 1,
      maxLength: 255,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    }),
    { minItems: 1, listType: 'set' },
  ),
);
const percentage = /^((100|[0-9]{1,2})%|[0-9]+)$/;

class NestedObject {
  @Field.string() foo!: string;
  @Field.boolean() bar!: boolean;
}
class RootObject {
  @Field.object(NestedObject) nested!: NestedObject;
}
class EmptiableObject {
  @Field.string() foo: Default<string> = 'forty-two';
  @Field.string({ optional: true }) bar?: string;
}
@Schema({ 'x-kubernetes-preserve-unknown-fields': true })
class Preserved {}
class AssociativeType {
  @Field.string() name!: string;
  @Field.int32() secondary!: number;
  @Field.string() foo!: string;
}
const AtomicObject = Field.custom('AtomicObject', Field.object(NestedObject, { mapType: 'atomic' }));
@Schema({ minProperties: 1, maxProperties: 2 })
class MinMaxObject {
  @Field.string({ optional: true }) foo?: string;
  @Field.string({ optional: true }) bar?: string;
  @Field.string({ optional: true }) baz?: string;
}
class ContainsNestedMap {
  @Field.map(Field.string(), { optional: true }) innerMap?: Record<string, string>;
}
const twoObjects = [{ nested: { foo: 'baz', bar: true } }, { nested: { foo: 'qux', bar: false } }];

@Rule({
  rule: 'has(oldSelf.forbiddenInt) || !has(self.forbiddenInt)',
  message: 'forbiddenInt is not allowed',
  fieldPath: '.forbiddenInt',
  reason: 'FieldValueForbidden',
})
class CronJobSpec {
  @Field.string() schedule!: string;
  @Field.int64({ optional: true }) startingDeadlineSeconds?: number;
  @Field.enum(['Allow', 'Forbid', 'Replace'], { optional: true }) concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
  @Field.enum(['Allow', 'Forbid', 'Replace'], { optional: true }) k8sConcurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
  @Field.boolean({ optional: true }) suspend?: boolean;
  @Field.string({ optional: true }) noReallySuspend?: string;
  @Bytes() binaryName!: string;
  @Field.string({ nullable: true }) canBeNull!: string | null;
  @Field.int32({ optional: true }) successfulJobsHistoryLimit?: number;
  @Field.int32({ optional: true }) failedJobsHistoryLimit?: number;
  @Field.map(Bytes(), { optional: true }) byteSliceData?: Record<string, string>;
  @Field.map(Field.list(Field.string()), { optional: true }) stringSliceData?: Record<string, string[]>;
  @Field.map(Field.string(), { optional: true }) ptrData?: Record<string, string>;
  @Field.string({ minLength: 4 }) twoOfAKindPart0!: string;
  @LongerString() twoOfAKindPart1!: string;
  @Field.string({ title: 'DefaultedString', example: 'forty-two' }) defaultedString: Default<string> = 'forty-two';
  @Field.list(Field.string(), { title: 'DefaultedSlice', example: ['a', 'b'] }) defaultedSlice: Default<string[]> = [
    'a',
    'b',
  ];
  @Field.list(RootObject, { title: '124', example: twoObjects }) defaultedObject: Default<RootObject[]> = twoObjects;
  @Field.list(Field.string(), { title: '{}' }) defaultedEmptySlice: Default<string[]> = [];
  @Field.map(Field.string()) defaultedEmptyMap: Default<Record<string, string>> = {};
  @Field.object(EmptiableObject, { default: {} }) defaultedEmptyObject!: EmptiableObject;
  @Field.string({ default: 'overridden' }) doubleDefaultedString: Default<string> = 'kubebuilder-default';
  @Field.string() kubernetesDefaultedString: Default<string> = 'forty-two';
  @Field.list(Field.string()) kubernetesDefaultedSlice: Default<string[]> = ['a', 'b'];
  @Field.list(RootObject) kubernetesDefaultedObject: Default<RootObject[]> = twoObjects;
  @Field.list(Field.string()) kubernetesDefaultedEmptySlice: Default<string[]> = [];
  @Field.map(Field.string()) kubernetesDefaultedEmptyMap: Default<Record<string, string>> = {};
  @Field.object(EmptiableObject, { default: {} }) kubernetesDefaultedEmptyObject!: EmptiableObject;
  @Field.string({ optional: true }) kubernetesDefaultedRef?: string;
  @Field.string({ pattern: '^$|^((https):\\/\\/?)[^\\s()<>]+(?:\\([\\w\\d]+\\)|([^[:punct:]\\s]|\\/?))$' })
  patternObject!: string;
  @Field.embedded() embeddedResource!: KubeObject;
  @Field.object(NestedObject, { preserveUnknownFields: true }) unprunedJSON!: NestedObject;
  @Field.embedded() unprunedEmbeddedResource!: KubeObject;
  @Field.object(Preserved) unprunedFomType!: Preserved;
  @Field.object(Preserved, { preserveUnknownFields: true }) unprunedFomTypeAndField!: Preserved;
  @Field.list(AssociativeType, { mapKeys: ['name', 'secondary'] }) associativeList!: AssociativeType[];
  @Field.list(AssociativeType, { mapKeys: ['name'] }) k8sAssociativeList!: AssociativeType[];
  @Field.list(Field.string(), { listType: 'set', optional: true }) k8sSetList?: string[];
  @Field.list(Field.string(), { listType: 'atomic', optional: true }) k8sAtomicList?: string[];
  @Field.list(AssociativeType, { mapKeys: ['name', 'secondary'] }) nestedassociativeList!: AssociativeType[];
  @Field.list(AssociativeType, { mapKeys: ['name', 'secondary'] }) k8sNestedAssociativeList!: AssociativeType[];
  @Field.map(Bytes(), { mapType: 'granular' }) mapOfInfo!: Record<string, string>;
  @Field.map(Bytes(), { mapType: 'granular' }) nestedMapOfInfo!: Record<string, string>;
  @Field.object(NestedObject, { mapType: 'atomic' }) structWithSeveralFields!: NestedObject;
  @AtomicObject() nestedStructWithSeveralFields!: NestedObject;
  @AtomicObject() nestedStructWithSeveralFieldsDoubleMarked!: NestedObject;
  @Field.object(NestedObject, { optional: true }) justNestedObject?: NestedObject;
  @Field.string({ optional: true }) explicitlyOptionalKubebuilder?: string;
  @Field.string({ optional: true }) explicitlyOptionalKubernetes?: string;
  @Field.string({ optional: true }) explicitlyOptionalK8s?: string;
  @Field.string() explicitlyRequiredKubebuilder!: string;
  @Field.string() explicitlyRequiredKubernetes!: string;
  @Field.string() explicitlyRequiredK8s!: string;
  @Field.object(MinMaxObject, { optional: true }) minMaxProperties?: MinMaxObject;
  @Field.schema({ type: 'string' }, { optional: true }) schemaless?: string;
  @Field.intOrString({ minLength: 2, maxLength: 11, pattern: percentage, optional: true })
  intOrStringWithAPattern?: string | number;
  @Mixed({ optional: true }) intOrStringWithEnum?: 1 | 2 | 'foo' | 'bar';
  @Field.map(Field.map(Field.string()), { optional: true }) nestedMap?: Record<string, Record<string, string>>;
  @Field.map(Field.map(Field.map(Field.string())), { optional: true })
  nestedNestedMap?: Record<string, Record<string, Record<string, string>>>;
  @Field.map(ContainsNestedMap, { optional: true }) nestedMapInStruct?: Record<string, ContainsNestedMap>;
  @Field.map(Field.list(Field.boolean()), { optional: true }) mapOfArraysOfFloats?: Record<string, boolean[]>;
  @Field.map(Field.string(), { optional: true }) mapOfTextMarshalerKeys?: Record<string, string>;
  @Field.double({ minimum: -0.5, maximum: 1.5, multipleOf: 0.5 }) floatWithValidations!: number;
  @Field.double({ minimum: -0.5, maximum: 1.5, multipleOf: 0.5 }) float64WithValidations!: number;
  @Field.int32({ minimum: -2, maximum: 2, multipleOf: 2 }) intWithValidations!: number;
  @Field.int32({ minimum: -2, maximum: 2, multipleOf: 2 }) int32WithValidations!: number;
  @Field.string() foo!: string;
  @Field.string() baz!: string;
  @Field.string({ optional: true })
  @Rule({ rule: 'self.size() % 2 == 0', message: 'must have even length' })
  @Rule({ rule: 'true' })
  stringWithEvenLength?: string;
  @Field.string({ optional: true })
  @Rule({ rule: 'self.size() % 2 == 0', messageExpression: "self + ' has odd length, must be even'" })
  stringWithEvenLengthAndMessageExpression?: string;
  @EvenString({
    optional: true,
    rules: [{ rule: "self.startsWith('good-')", message: 'must have good prefix' }],
  })
  stringWithEvenLengthAndGoodPrefix?: string;
  @Field.int32({ optional: true }) forbiddenInt?: number;
  @Field.list(Field.int32(), { optional: true }) array?: number[];
  @Field.list(Field.string(), { optional: true }) arrayUsingCompositeLiteral?: string[];
  @Hosts({ optional: true }) hosts?: string[];
  @Field.list(Field.enum([0, 1, 3]), { optional: true }) enumSlice?: (0 | 1 | 3)[];
  @Hosts({ optional: true }) hostsAlias?: string[];
  @Field.string({ optional: true }) aliasFromPackage?: string;
  @Field.string({ optional: true }) stringAlias?: string;
  @Field.string({ optional: true }) stringAliasPtr?: string;
  @Field.string({ minLength: 1, maxLength: 255, optional: true }) stringAliasAddedValidation?: string;
  @ValidatedString({ optional: true }) stringAliasAlreadyValidated?: string;
  @TitledString({ title: 'title on field', optional: true }) stringAliasWithAddedTitle?: string;
  @TitledString({ optional: true }) stringAliasWithTitle?: string;
  @Field.list(Field.string(), { minItems: 2, maxItems: 2 }) stringPair!: string[];
  @Field.list(LongerString(), { minItems: 3, optional: true }) longerStringArray?: string[];
  @Field.list(Field.intOrString({ minLength: 1, maxLength: 10, pattern: percentage }), { optional: true })
  intOrStringArrayWithAPattern?: (string | number)[];
  @Field.list(Mixed({ minLength: 1, maxLength: 3 }), { optional: true })
  intOrStringWithEnumSlice?: (1 | 2 | 'foo' | 'bar')[];
  @Field.string() protocol: Default<string> = 'TCP';
  @Field.string({ optional: true }) selectableFieldString?: string;
  @Field.string({ optional: true }) fromEmbedded?: string;
  @Field.string({ optional: true }) fromPointer?: string;
  @Field.int32({ optional: true })
  @Rule({
    rule: 'oldSelf.hasValue() || self == 0',
    message: 'must be set to 0 on creation. can be set to any value on an update.',
    optionalOldSelf: true,
  })
  onlyAllowSettingOnUpdate?: number;
  @Field.int32({ minimum: 1, maximum: 10, optional: true }) locallyBoundedInteger?: number;
  @Field.string({ minLength: 1, maxLength: 10, optional: true }) locallyBoundedString?: string;
  @ValidatedString({ minLength: 10, maxLength: 10, optional: true }) fieldLevelAliasOverride?: string;
  @LongerString({ minLength: 10, maxLength: 10, optional: true }) fieldLevelLocalDeclarationOverride?: string;
}

class Duration {
  @Field.int64() value!: number;
}
class CronJobStatus {
  @Field.list(ObjectReference, { optional: true }) active?: ObjectReference[];
  @Field.dateTime({ optional: true }) lastScheduleTime?: string;
  @Field.int64({ optional: true }) lastScheduleTime2?: number;
  @Field.dateTime({ optional: true }) lastScheduleMicroTime?: string;
  @Field.string({ optional: true }) lastActiveLogURL?: string;
  @Field.string({ optional: true }) lastActiveLogURL2?: string;
  @Field.string({ optional: true }) lastActiveLogURL3?: string;
  @Field.string({ optional: true }) lastActiveLogURL4?: string;
  @Field.object(Duration, { optional: true }) duration?: Duration;
}

const group = 'testdata.kubebuilder.io';

@Kind({
  group,
  version: 'v1',
  singular: 'mycronjob',
  storage: true,
  annotations: {
    'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/controller-tools',
    'cert-manager.io/inject-ca-from-secret': 'cert-manager/cert-manager-webhook-ca',
  },
})
@SelectableField('.spec.selectableFieldString')
export class CronJob extends CustomResource(CronJobSpec, CronJobStatus, { specOptional: true }) {}

export class UnservedSpec {
  @Field.string({ minLength: 4 }) twoOfAKindPart0!: string;
  @Field.int32({ minimum: -2, maximum: 2, multipleOf: 2 }) int32WithValidations!: number;
}
@Schema({})
class NoStatus {}
@Kind({ group, version: 'v1beta1', kind: 'CronJob', singular: 'mycronjob', served: false })
export class UnservedCronJob extends CustomResource(UnservedSpec, NoStatus, { specOptional: true }) {}

@Schema({})
class NoSpec {}
@Kind({ group, version: 'v1beta2', kind: 'CronJob', singular: 'mycronjob', deprecated: 'use v1' })
export class DeprecatedCronJob extends CustomResource(NoSpec, NoStatus, { specOptional: true }) {}

class JobSpec {
  @Field.string({ minLength: 5 }) friendlyName!: string;
  @Field.int32({ minimum: 0, maximum: 10 }) count!: number;
  @Field.object(UnservedSpec) crongJob!: UnservedSpec;
}
@Kind({ group, version: 'v1beta1' })
export class Job extends CustomResource(JobSpec) {}
