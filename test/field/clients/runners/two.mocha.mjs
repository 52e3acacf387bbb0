import { inMocha } from './suite-in-mocha.mjs';

inMocha('another suite');
