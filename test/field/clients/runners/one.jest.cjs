require('./suite-in-jest.cjs')('a suite');
