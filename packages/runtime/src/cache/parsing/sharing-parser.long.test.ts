import { test } from 'node:test';
import { assertEqualParsers } from '../../test-support/parser-comparison.js';

const DOCUMENTS = 100_000;

// `npm run fuzz -- parser` compares more documents.
test(`parses ${DOCUMENTS} generated documents like the complete parser`, () => assertEqualParsers(DOCUMENTS));
