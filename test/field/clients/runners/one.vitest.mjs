import { inVitest } from './suite-in-vitest.mjs';

inVitest('a suite');
