// TS1240: Unable to resolve signature of property decorator when called as an expression.
//   Argument of type 'Spec' is not assignable to parameter of type 'Spec & "@Field.enum lists 'many', which the type of field 'count' does not have"'.
//     Type 'Spec' is not assignable to type '"@Field.enum lists 'many', which the type of field 'count' does not have"'.
import { Field } from '@kubewright/api';
export class Spec {
  @Field.enum([1, 2, 'many']) count!: 1 | 2;
}
