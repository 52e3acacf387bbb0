import { inMocha } from './suite-in-mocha.mjs';

inMocha('a suite');
