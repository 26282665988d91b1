// TS2353: Object literal may only specify known properties, and 'maxLength' does not exist in type 'Only<CustomOptions<number>, CustomOptions<number>>'.
import { Field } from '@kubewright/api';
const Port = Field.custom('Port', Field.int32({ minimum: 1 }));
export class Spec {
  @Port({ maxLength: 5 }) port!: number;
}
