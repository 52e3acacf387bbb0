/**
 * Bundles what `npm run build` made, and what it did not: the page's program and its looks into dist/page/, from where
 * the html reporter and the live page take them; the command line into dist/program/, because one file instead of
 * 250 starts in two thirds of the time. Packages stay outside of it.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

await build({
  entryPoints: [at('src/page/main.tsx'), at('src/page/page.css')],
  outdir: at('dist/page'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  // The page is text inside of another page: ASCII cannot be misread.
  charset: 'ascii',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});

// Names of parts hold a digest: those of another build would stay.
rmSync(at('dist/program'), { recursive: true, force: true });
await build({
  entryPoints: [at('src/cli/main.ts'), at('src/cli/worker.ts')],
  // As deep as the folders of dist/, so that what is found beside a module is found from here too.
  outdir: at('dist/program'),
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
});
