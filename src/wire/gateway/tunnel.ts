/**
 * @module
 * The way to a gateway that is not straight: certificates of an authority that the system does not know, and a tunnel through
 * an outgoing proxy (HTTP CONNECT). One connector for requests and for sockets. A proxy that wants a password is not supported.
 */
import { Agent, request } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure, rootCertificates } from 'node:tls';

/** How a gateway is reached; empty: straight, by the certificates that Node knows. */
export interface NetworkRoute {
  /** Certificates (PEM) that are believed beside those that Node knows. */
  readonly ca?: string | undefined;
  /** Base URL of an outgoing proxy. */
  readonly proxy?: string | undefined;
  /** Address of the streams, where it is not that of the base URL. */
  readonly streamUrl?: string | undefined;
}

/** Where a connection goes. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Called once: with a socket that is connected, its TLS included, or with why there is none. */
export type Connected = (error: Error | null, socket: Socket | null) => void;

/** Opens a connection by a route; the socket is destroyed when it is not there within `timeoutMs`. */
export function connectBy(
  { ca, proxy }: NetworkRoute,
  target: ConnectionTarget,
  timeoutMs: number,
  done: Connected,
): void {
  let isOver = false;
  const end = (error: Error | null, socket: Socket | null): void => {
    if (isOver) socket?.destroy();
    else {
      isOver = true;
      socket?.setTimeout(0);
      done(error, socket);
    }
  };
  const secured = (socket: Socket): void => {
    if (!target.isSecure) {
      end(null, socket);
      return;
    }
    const tls = connectSecure({
      socket,
      ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
      ALPNProtocols: ['http/1.1'],
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    });
    tls.once('secureConnect', () => end(null, tls));
    fails(tls);
  };
  const fails = (socket: Socket): void => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)));
    socket.on('error', (error) => end(error, null));
    socket.once('close', () => end(new Error('the connection was closed'), null));
  };
  if (proxy === undefined) {
    const socket = connectPlain({ host: target.host, port: target.port, noDelay: true });
    socket.once('connect', () => secured(socket));
    fails(socket);
    return;
  }
  const { hostname, port } = new URL(proxy);
  const where = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`;
  const asked = request({
    ...{ host: hostname, port: port === '' ? 80 : Number(port), method: 'CONNECT', path: where },
    ...{ headers: { host: where }, agent: false, timeout: timeoutMs },
  });
  asked.once('timeout', () => asked.destroy(new Error(`the proxy did not answer within ${timeoutMs} ms`)));
  asked.once('error', (error) => end(new Error(`the proxy at ${proxy}: ${error.message}`), null));
  asked.once('response', ({ statusCode }) => {
    asked.destroy();
    end(new Error(`the proxy at ${proxy} answered ${statusCode} to CONNECT ${where}`), null);
  });
  asked.once('connect', ({ statusCode }, socket: Socket) => {
    if (statusCode === 200) secured(socket);
    else {
      socket.destroy();
      end(new Error(`the proxy at ${proxy} answered ${statusCode} to CONNECT ${where}`), null);
    }
  });
  asked.end();
}

/** What http and https ask an agent for. */
interface AgentTarget {
  readonly host?: string | null;
  readonly port?: number | string | null;
}

/** An agent whose connections go by a route, for the upgrade of a WebSocket. */
export function agentBy(route: NetworkRoute, isSecure: boolean, timeoutMs: number): Agent {
  const agent = isSecure ? new SecureAgent() : new Agent();
  const createConnection = ({ host, port }: AgentTarget, done: Connected): void => {
    const target = { host: host ?? 'localhost', port: Number(port ?? (isSecure ? 443 : 80)), isSecure };
    connectBy(route, target, timeoutMs, done);
  };
  return Object.assign(agent, { createConnection });
}
