/** Preloaded into servers that have no option for it: whatever they listen on is on loopback only. */
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((each) => typeof each === 'function');
  return Reflect.apply(listen, this, [{ port: Number(port), host: '127.0.0.1' }, callback]);
};
