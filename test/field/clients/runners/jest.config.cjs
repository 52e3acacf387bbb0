module.exports = { testMatch: ['**/runners/*.jest.cjs'], testEnvironment: 'node' };
