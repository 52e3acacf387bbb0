/**
 * The official client reads one stream to its answer, with the guard (`guarded`) or without (`plain`): a process of
 * its own, so that its instructions can be counted.
 *
 *   node bench/guard-client.mjs URL plain|guarded
 */
import { guardFetch } from '../dist/guard/index.js';
import { readStream } from './guard-stream.mjs';

const [url, kind] = process.argv.slice(2);
await readStream(url, kind === 'guarded' ? guardFetch(fetch, { contract: 'monotonic:stream' }) : fetch);
process.exit();
