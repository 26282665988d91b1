export { ChangedMessages } from './protobuf/changed-messages.js';
export { ChangedSchemas, type ModuleChanges } from './built-in/changed-schemas.js';
