export {
  canonicalQuantity,
  compareQuantities,
  isQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
} from './quantity/quantity.js';
