import { KubewrightError } from '../errors/kubewright-error.js';
import { partSchemaOf } from '../metadata/kind-source.js';
import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';
import type { FieldRecord, ListNode } from './field-record.js';

/**
 * Validates that the schema of a field can be part of a CustomResourceDefinition.
 * @throws KubewrightError INVALID_FIELD with the class, the field, the reason and the fix
 */
export function checkField(field: FieldRecord, where: string, owner: AnyClass): void {
  const fail = (problem: string): never => {
    throw new KubewrightError('INVALID_FIELD', `cannot load ${where}: ${problem}`);
  };
  if (field.problem !== undefined) fail(`@${field.name} ${field.problem}`);
  const { node } = field;
  if (node.type === 'list' || node.type === 'map') checkField(node.item, where, owner);
  if (node.type === 'list') checkList(node, fail);
  if (node.type === 'object') checkShape(node.shape, owner, fail);
}

function checkShape(shape: AnyClass, owner: AnyClass, fail: (problem: string) => never): void {
  if (typeof shape !== 'function') {
    fail(
      'the class of the field is not defined yet; declare the nested class above this class, or remove the import cycle between their files',
    );
  }
  if (shape === owner) {
    fail(
      'a class cannot contain itself, because the schema of a kind cannot be recursive; use Field.unknown, or a list of names',
    );
  }
  if (partSchemaOf(shape) !== undefined) return;
  const { fields, schema } = metadataOf(shape);
  if (Object.keys(fields).length === 0 && schema === undefined) {
    fail(`class ${shape.name} has no decorated fields; add @Field.… to its fields, or use Field.unknown`);
  }
}

function checkList(node: ListNode, fail: (problem: string) => never): void {
  const { mapKeys, listType } = node.options;
  if (mapKeys !== undefined && listType !== undefined && listType !== 'map') {
    fail(`mapKeys and listType '${listType}' exclude each other; remove one of them`);
  }
  if (listType === 'map' && (mapKeys === undefined || mapKeys.length === 0)) {
    fail("listType 'map' requires mapKeys; add the fields that identify an item, such as { mapKeys: ['name'] }");
  }
  if (listType === 'set' && node.item.node.type !== 'leaf') {
    fail("listType 'set' requires items that are strings, numbers or booleans; use mapKeys, or listType 'atomic'");
  }
  if (mapKeys !== undefined) checkMapKeys(node.item, mapKeys, fail);
}

function checkMapKeys(item: FieldRecord, mapKeys: readonly string[], fail: (problem: string) => never): void {
  if (item.node.type !== 'object') fail('mapKeys requires items that are objects; remove mapKeys');
  const shape = (item.node as { readonly shape: AnyClass }).shape;
  if (partSchemaOf(shape) !== undefined) return;
  const { fields } = metadataOf(shape);
  for (const key of mapKeys) {
    const field = fields[key];
    if (field === undefined) {
      fail(`class ${shape.name} has no field '${key}' for mapKeys; its fields are ${Object.keys(fields).join(', ')}`);
    } else if (field.node.type !== 'leaf') {
      fail(`field '${key}' of ${shape.name} is not a string, number or boolean, so it cannot be in mapKeys`);
    } else if (field.options.optional === true && field.options.default === undefined) {
      fail(`field '${key}' of ${shape.name} is in mapKeys and cannot be optional; remove { optional: true }`);
    }
  }
}
