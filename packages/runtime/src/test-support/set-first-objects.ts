/*
 * Sets the number of objects of each kind that the cache parses completely before it shares values, for all tests of a process. Load this
 * module before the tests:
 *
 *   KUBEWRIGHT_FIRST_OBJECTS=0 NODE_OPTIONS=--import=$PWD/packages/runtime/dist/test-support/set-first-objects.js npm test -- runtime
 *
 * With 0, the parser that shares values parses all objects. With Infinity, the complete parser parses all objects.
 */
import { SharingParser } from '../cache/parsing/sharing-parser.js';

const first = process.env['KUBEWRIGHT_FIRST_OBJECTS'];
if (first !== undefined) Object.defineProperty(SharingParser, 'firstObjects', { value: Number(first) });
