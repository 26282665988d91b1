export { copyJson } from './json/copy-json.js';
export { duplicateFields } from './json/duplicate-fields.js';
export { deepFreeze } from './objects/deep-freeze.js';
export { InvalidJsonError } from './json/invalid-json-error.js';
export { emptyObject, isJsonObject, type JsonObject, nameTable, setField } from './json/json-object.js';
export { parseJson } from './json/parse-json.js';
export { stringifyJson } from './json/stringify-json.js';
export { isObject, numberAt, objectAt, objectsAt, stringAt, valueAt } from './json/value-at.js';
export { visitFields } from './json/visit-fields.js';
