/** Documents drift unless something reads them. Generated parts are compared, claims and links are looked up. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { documents, fill } from '../scripts/documents.ts';
import { digestOfSources, madeFrom } from '../scripts/screenshots.ts';
import { parseProfile } from '../src/profiles/parse.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['decisions', 'docs', 'bench'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter((name) => name.endsWith('.md'))
          .map((name) => `${folder}/${name}`)
      : [],
  ),
];

describe('generated parts', async () => {
  test.each((await documents()).map((document) => [document.path, document] as const))(
    '%s agrees with the code',
    (_path, { found, wanted }) => {
      expect(found, 'run: npm run docs').toBe(wanted);
    },
  );

  test('the pictures were made from the page as it is', () => {
    expect(readFileSync(madeFrom, 'utf8').trim(), 'run: npm run docs -- --screenshots').toBe(
      digestOfSources(),
    );
    const pictures = readdirSync(join(root, 'docs/images')).filter((name) => name.endsWith('.png'));
    expect(pictures.sort()).toEqual(['live.png', 'report-dark.png', 'report-light.png']);
    const bytes = pictures.reduce((sum, name) => sum + statSync(join(root, 'docs/images', name)).size, 0);
    expect(bytes).toBeLessThan(600_000);
  });

  test('a part that is missing, or known to nobody, is an error', () => {
    const text = 'a\n<!-- generated:x -->\nold\n<!-- /generated -->\nb\n';
    expect(fill('p.md', text, { x: 'new' })).toBe(
      'a\n<!-- generated:x -->\n\nnew\n\n<!-- /generated -->\nb\n',
    );
    expect(() => fill('p.md', text, {})).toThrow('generated:x');
    expect(() => fill('p.md', text, { x: 'new', y: 'more' })).toThrow('generated:y');
  });
});

describe('links and names', () => {
  test('there are pages to look at', () => {
    expect(pages).toContain('README.md');
    expect(pages.filter((path) => path.startsWith('decisions/')).length).toBeGreaterThanOrEqual(9);
  });

  test.each(pages)('%s links to what exists', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);
    const dead = links.filter(
      (link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)),
    );
    expect(dead).toEqual([]);
  });

  test.each(pages)('%s names npm scripts, files and folders that exist', (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };
    const text = read(page);
    const named = [...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const paths = [...text.matchAll(/`((?:src|test|scripts|bench|profiles|examples)\/[\w./-]*)`/g)];
    expect(paths.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('profiles that the pages show can be parsed', () => {
    const shown = pages.flatMap((page) =>
      [...read(page).matchAll(/```yaml\n(name:[\s\S]*?)```/g)].map(([, text]) => [page, text!] as const),
    );
    expect(shown.length).toBeGreaterThan(0);
    for (const [page, text] of shown) expect(() => parseProfile(text, page)).not.toThrow();
  });

  test('packages that the pages import are exports of ours', () => {
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: Record<string, unknown> };
    const imported = pages.flatMap((page) => [...read(page).matchAll(/from 'mcp-chaos(\/[\w-]+)?'/g)]);
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.map(([, path = '']) => `.${path}`).filter((path) => !(path in exports))).toEqual([]);
  });

  test('ARCHITECTURE.md stays short and lists every stage', () => {
    const text = read('ARCHITECTURE.md');
    expect(text.split('\n').length).toBeLessThanOrEqual(81);
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, 'src', entry.name)).length > 0)
      .map(({ name }) => name);
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((name) => !text.includes(`| \`${name}/\``))).toEqual([]);
  });
});
