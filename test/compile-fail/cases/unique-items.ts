// TS1240: Unable to resolve signature of property decorator when called as an expression.
//   Argument of type 'Spec' is not assignable to parameter of type 'Spec & "field 'names' is a list of string, but @Field.list is for a list"'.
//     Type 'Spec' is not assignable to type '"field 'names' is a list of string, but @Field.list is for a list"'.
// TS2353: Object literal may only specify known properties, and 'uniqueItems' does not exist in type 'Only<KeyedListOptions<unknown>, KeyedListOptions<unknown>>'.
import { Field } from '@kubewright/api';
export class Spec {
  @Field.list(Field.string(), { uniqueItems: true }) names!: string[];
}
