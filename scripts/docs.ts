/**
 * `npm run docs` writes the generated parts of the documents again; `npm run docs:check` only says what has drifted.
 * `npm run docs -- --sample` first runs the README's command for real and keeps what it printed;
 * `npm run docs -- --screenshots` takes the README's pictures anew, in Chromium.
 */
import { writeFileSync } from 'node:fs';
import { type Document, documents } from './documents.ts';
import { recordSample } from './sample.ts';
import { takeScreenshots } from './screenshots.ts';

const flags = process.argv.slice(2);
const unknown = flags.filter((flag) => !['--check', '--sample', '--screenshots'].includes(flag));
if (unknown.length > 0) {
  console.error(`unknown flag ${unknown.join(', ')} (expected --check, --sample or --screenshots)`);
  process.exit(64);
}
if (flags.includes('--sample')) recordSample();
if (flags.includes('--screenshots')) await takeScreenshots();

const drifted: readonly Document[] = (await documents()).filter(({ found, wanted }) => found !== wanted);
for (const { path, wanted, file } of drifted) {
  if (flags.includes('--check')) console.error(`${path} has drifted from the code: npm run docs`);
  else {
    writeFileSync(file, wanted);
    console.log(`wrote ${path}`);
  }
}
if (drifted.length === 0) console.log('the documents agree with the code');
process.exitCode = flags.includes('--check') && drifted.length > 0 ? 1 : 0;
