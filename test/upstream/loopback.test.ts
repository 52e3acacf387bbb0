import { describe, expect, it } from 'vitest';
import { foreignAuthority, isLoopback } from '../../src/upstream/loopback.ts';

describe('loopback guard', () => {
  it.each([
    [{ host: '127.0.0.1:80' }],
    [{ host: 'localhost' }],
    [{ host: '[::1]:3000' }],
    [{ host: 'localhost:1', origin: 'http://localhost:5173' }],
  ])('lets %j pass', (headers) => {
    expect(foreignAuthority(headers)).toBeUndefined();
  });

  it.each([
    [{}, 'Host ""'],
    [{ host: 'evil.example:80' }, 'Host "evil.example:80"'],
    [{ host: 'localhost.evil.example' }, 'Host'],
    [{ host: '127.0.0.1@evil.example' }, 'Host'],
    [{ host: 'localhost', origin: 'https://evil.example' }, 'Origin "https://evil.example"'],
    [{ host: 'localhost', origin: 'null' }, 'Origin "null"'],
  ])('refuses %j and says which header', (headers, message) => {
    expect(foreignAuthority(headers)).toContain(message);
  });

  it('knows loopback addresses with and without brackets', () => {
    expect(['::1', '[::1]', 'localhost', '127.0.0.1'].map(isLoopback)).toEqual([true, true, true, true]);
    expect(['0.0.0.0', '::', '10.0.0.1'].map(isLoopback)).toEqual([false, false, false]);
  });
});
