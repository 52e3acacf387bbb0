import { describe, expect, it } from 'vitest';
import { foreignAddress, isLoopback } from '../../src/proxy/guard-own-address.ts';
import { isResourceMetadata, renameChallenge, renameResource } from '../../src/proxy/oauth.ts';
import { routeOf } from '../../src/proxy/route.ts';

describe('who may talk to our listener', () => {
  it.each([
    ['127.0.0.1:4000', undefined],
    ['localhost:4000', undefined],
    ['[::1]:4000', undefined],
    ['127.0.0.1:4000', 'http://localhost:3000'],
  ])('Host %s, Origin %s is our own', (host, origin) => {
    expect(foreignAddress({ host, origin }, '127.0.0.1')).toBeUndefined();
  });

  it.each([
    ['evil.example', undefined, /Host "evil\.example"/],
    ['127.0.0.1.evil.example:4000', undefined, /Host/],
    ['127.0.0.1@evil.example', undefined, /Host/],
    ['0.0.0.0', undefined, /Host/],
    [undefined, undefined, /no valid Host/],
    ['127.0.0.1:4000', 'http://evil.example', /Origin "http:\/\/evil\.example"/],
    ['127.0.0.1:4000', 'null', /Origin "null"/],
  ])('Host %s, Origin %s is refused', (host, origin, why) => {
    expect(foreignAddress({ host, origin }, '127.0.0.1')).toMatch(why);
  });

  it('loopback addresses have brackets or none, and where all interfaces are bound nothing is loopback', () => {
    expect(['::1', '[::1]', 'localhost', '127.0.0.2'].map(isLoopback)).toEqual([true, true, true, true]);
    expect(['0.0.0.0', '::', '10.0.0.1'].map(isLoopback)).toEqual([false, false, false]);
  });

  it('an address that the operator bound is our own', () => {
    expect(foreignAddress({ host: '192.0.2.7:80' }, '192.0.2.7')).toBeUndefined();
  });
});

describe('the scope of a request', () => {
  it.each([
    ['/mcp', undefined, 'main', '/mcp'],
    ['/s/a%20test/mcp?x=1', undefined, 'a test', '/mcp?x=1'],
    ['/s/a', undefined, 'a', '/'],
    ['/mcp', 'from-header', 'from-header', '/mcp'],
    ['/s/url/mcp', 'from-header', 'from-header', '/mcp'],
    ['/s/%E0%A4%A/mcp', undefined, '%E0%A4%A', '/mcp'],
    ['/server/mcp', undefined, 'main', '/server/mcp'],
    ['/mcp/s/a%20test', undefined, 'a test', '/mcp'],
    ['/mcp/s/a?x=1', undefined, 'a', '/mcp?x=1'],
    ['/mcp/s/a/b', undefined, 'main', '/mcp/s/a/b'],
  ])('%s with header %s is scope %s at %s', (url, header, scope, path) => {
    expect(routeOf(url, '/mcp', header)).toEqual({ scope, path });
  });
});

describe('OAuth documents that name upstream', () => {
  const upstream = 'http://127.0.0.1:9000';
  const own = 'http://127.0.0.1:4000';

  it('name us instead, path kept, everything else as it was', () => {
    const body = JSON.stringify({
      resource: `${upstream}/mcp`,
      authorization_servers: [upstream],
      scopes_supported: ['a'],
    });
    expect(JSON.parse(renameResource(body, upstream, own)!)).toEqual({
      resource: `${own}/mcp`,
      authorization_servers: [upstream],
      scopes_supported: ['a'],
    });
  });

  it.each([
    'not json',
    '[]',
    '{"resource":"https://elsewhere.example/mcp"}',
    '{"resource":"http://127.0.0.1:90001/x"}',
  ])('are left alone where they do not: %s', (body) => {
    expect(renameResource(body, upstream, own)).toBeUndefined();
  });

  it('a challenge points at our metadata', () => {
    const raw = [
      'WWW-Authenticate',
      `Bearer resource_metadata="${upstream}/.well-known/oauth-protected-resource"`,
    ];
    expect(renameChallenge(raw, upstream, own)).toEqual([
      'WWW-Authenticate',
      `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource"`,
    ]);
    expect(renameChallenge(['WWW-Authenticate', 'Basic'], upstream, own)).toBeUndefined();
  });

  it('are found at the well-known path only', () => {
    expect(isResourceMetadata('GET', '/.well-known/oauth-protected-resource/mcp')).toBe(true);
    expect(isResourceMetadata('POST', '/.well-known/oauth-protected-resource')).toBe(false);
    expect(isResourceMetadata('GET', '/.well-known/oauth-protected-resources')).toBe(false);
  });
});
