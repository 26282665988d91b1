export { compileJsonPath } from './json-path/find.js';
