// The fields of pkg/crd/testdata/oneof/types.go of controller-tools, with decorators.
import { AtLeastOneOf, AtMostOneOf, CustomResource, ExactlyOneOf, Field, Kind, Rule } from '@kubewright/api';

@Rule({ rule: '!(has(self.foo) && has(self.bar))', message: 'only one of foo|bar may be set' })
@AtMostOneOf('foo', 'bar')
class OneOfTwo {
  @Field.string({ optional: true }) foo?: string;
  @Field.string({ optional: true }) bar?: string;
}
class Four {
  @Field.string({ optional: true }) a?: string;
  @Field.string({ optional: true }) b?: string;
  @Field.string({ optional: true }) c?: string;
  @Field.string({ optional: true }) d?: string;
}
@AtMostOneOf('a', 'b')
@AtMostOneOf('c', 'd')
class AtMostTwice extends Four {}
@ExactlyOneOf('foo', 'bar')
class ExactlyOne {
  @Field.string({ optional: true }) foo?: string;
  @Field.string({ optional: true }) bar?: string;
}
@ExactlyOneOf('a', 'b')
@ExactlyOneOf('c', 'd')
class ExactlyTwice extends Four {}
@AtLeastOneOf('a', 'b')
@AtLeastOneOf('c', 'd')
class AtLeastTwice extends Four {}
@AtMostOneOf('a', 'b')
@ExactlyOneOf('c', 'd')
@AtLeastOneOf('e', 'f')
class AllOfThem extends Four {
  @Field.string({ optional: true }) e?: string;
  @Field.string({ optional: true }) f?: string;
}
@AtMostOneOf('foo', 'bar')
class AtMostOne {
  @Field.string({ optional: true }) foo?: string;
  @Field.string({ optional: true }) bar?: string;
}
@ExactlyOneOf('a', 'b')
class ExactlyOneOfAB {
  @Field.string({ optional: true }) a?: string;
  @Field.string({ optional: true }) b?: string;
}
@AtLeastOneOf('c', 'd')
class AtLeastOne {
  @Field.string({ optional: true }) c?: string;
  @Field.string({ optional: true }) d?: string;
}
const Alias = Field.custom(
  'Alias',
  Field.int32({ rules: [{ rule: 'self >= 100 && self <= 1000', message: 'invalid CustomTypeAlias value' }] }),
);

class OneofSpec {
  @Field.object(OneOfTwo, { optional: true }) firstTypeWithOneof?: OneOfTwo;
  @Field.object(AtMostTwice, { optional: true }) secondTypeWithOneof?: AtMostTwice;
  @Field.object(ExactlyOne, { optional: true }) firstTypeWithExactOneof?: ExactlyOne;
  @Field.object(ExactlyTwice, { optional: true }) secondTypeWithExactOneof?: ExactlyTwice;
  @Field.object(AtLeastTwice, { optional: true }) typeWithMultipleAtLeastOneOf?: AtLeastTwice;
  @Field.object(AllOfThem, { optional: true }) typeWithAllOneOf?: AllOfThem;
  @Field.object(AtMostOne, { optional: true }) typeWithOmitZero?: AtMostOne;
  @Field.object(ExactlyOneOfAB, { optional: true }) typeWithOmitZeroExact?: ExactlyOneOfAB;
  @Field.object(AtLeastOne, { optional: true }) typeWithOmitZeroAtLeastOneOf?: AtLeastOne;
  @Alias({ optional: true }) firstCustomTypeAlias?: number;
  @Alias({ optional: true }) secondCustomTypeAlias?: number;
}
@Kind({ group: 'testdata.kubebuilder.io', version: 'v1beta1' })
export class Oneof extends CustomResource(OneofSpec) {}
