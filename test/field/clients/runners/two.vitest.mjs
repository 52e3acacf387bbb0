import { inVitest } from './suite-in-vitest.mjs';

inVitest('another suite');
