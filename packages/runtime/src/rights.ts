export { rightsOf } from './rights/rights-of.js';
