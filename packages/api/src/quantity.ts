export { canonicalQuantity, canonicalThousandths, formatQuantity } from './quantity/canonical.js';
export { compareQuantities, isQuantity, parseQuantity, type Quantity, type QuantityFormat } from './quantity/parse.js';
