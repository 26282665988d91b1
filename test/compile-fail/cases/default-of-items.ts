// TS2322: Type 'number' is not assignable to type 'string'.
import { Field } from '@kubewright/api';
export class Spec {
  @Field.list(Field.string(), { default: [1] }) names!: string[];
}
