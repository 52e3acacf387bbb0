/** The guard runs in other people's clients, browsers among them: nothing of Node's may creep in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../src/guard', import.meta.url));
const nodeOnly = [
  'Buffer',
  'process',
  'global',
  'require',
  'module',
  'setImmediate',
  '__dirname',
  '__filename',
];

/** Names of Node's that are used as such, and not as a property or a declaration of the same name. */
function foreign(name: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^node:/.test(node.text)) found.push(`${name}: ${node.text}`);
    const { parent } = node;
    if (ts.isIdentifier(node) && nodeOnly.includes(node.text)) {
      const isProperty = ts.isPropertyAccessExpression(parent) && parent.name === node;
      if (!isProperty) found.push(`${name}: ${node.text}`);
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true));
  return found;
}

test('no file of the guard uses what only Node has', () => {
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((name) => foreign(name, readFileSync(join(folder, name), 'utf8')))).toEqual([]);
});

test('a use of what only Node has would be noticed', () => {
  const text = "import 'node:fs'; Buffer.from(''); x.process; process.env; // Buffer";
  expect(foreign('x.ts', text)).toEqual(['x.ts: node:fs', 'x.ts: Buffer', 'x.ts: process']);
});
