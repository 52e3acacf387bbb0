/** Cases on disk. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Case, caseName, parseCase, writeCase } from '../cases/case.ts';
import { ChaosError } from '../errors.ts';

/** Where cases are kept, to be committed. */
export const casesFolder = join('.mcp-chaos', 'cases');

/** @throws ChaosError `usage` where there is none, or none that can be read. */
export function readCaseFile(path: string): Case {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ChaosError(
      'usage',
      `the case ${path} cannot be read: ${missing ? 'it does not exist' : (error as Error).message}`,
      { hint: `mcp-chaos sweep and mcp-chaos shrink write cases to ${casesFolder}/.`, cause: error },
    );
  }
  return parseCase(content, path);
}

export function casePath(one: Pick<Case, 'finding' | 'command'>): string {
  return join(casesFolder, `${caseName(one)}.yaml`);
}

export function isKnownCase(one: Pick<Case, 'finding' | 'command'>): boolean {
  return existsSync(casePath(one));
}

export function saveCase(one: Case, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, writeCase(one, path));
}
