require('./suite-in-jest.cjs')('another suite');
