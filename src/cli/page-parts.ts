/** The page's program and looks as the build left them, and the compression that the page understands. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ChaosError } from '../errors.ts';
import type { Drawing } from '../report/reporter.ts';

export function pageParts(): Omit<Drawing, 'history'> {
  return {
    script: read('main.js'),
    style: read('page.css'),
    compress: (text) => gzipSync(text),
  };
}

/** The same place from src/ and from dist/. */
function read(name: string): string {
  try {
    return readFileSync(new URL(`../../dist/page/${name}`, import.meta.url), 'utf8');
  } catch (error) {
    throw new ChaosError('internal', `dist/page/${name} is missing: the package was not built`, {
      hint: 'In a clone: npm run build.',
      cause: error,
    });
  }
}
