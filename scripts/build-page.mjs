/**
 * Bundles the page's program and its looks into dist/page/, from where the html reporter and the live page
 * take them. Part of `npm run build`.
 */
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
