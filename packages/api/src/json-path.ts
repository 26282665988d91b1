export { compileJsonPath, type JsonPath } from './json-path/json-path.js';
