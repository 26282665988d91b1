// TS1240: Unable to resolve signature of property decorator when called as an expression.
//   Argument of type 'Spec' is not assignable to parameter of type 'Spec & "field 'size' is string, but @Field.schema is for number"'.
//     Type 'Spec' is not assignable to type '"field 'size' is string, but @Field.schema is for number"'.
import { Field } from '@kubewright/api';
export class Spec {
  @Field.schema({ type: 'integer' }, { optional: true }) size?: string;
}
