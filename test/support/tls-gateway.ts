/**
 * @module
 * TLS before an exchange, by an authority that no system knows, and an outgoing proxy. The key is of tests alone: it is good for
 * 127.0.0.1 until 2120.
 */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { onTestFinished } from 'vitest';

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSyUN1AX0jlxIEElX
kyI/nWZ2KxEsTctNorkbiT+K+QChRANCAATMojEakOfdyJUTn8bJigu3vaqRyHMQ
r0N9jPyT8OKtssJGfnVb5qJjPmSL1nREZqM4jrEKgWmZC+4ESClWOnsA
-----END PRIVATE KEY-----`;

/** What a client must believe. */
export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxiYWxsYXN0
IHRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDGJhbGxhc3QgdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMyiMRqQ
593IlROfxsmKC7e9qpHIcxCvQ32M/JPw4q2ywkZ+dVvmomM+ZIvWdERmoziOsQqB
aZkL7gRIKVY6ewCjTjBMMBoGA1UdEQQTMBGHBH8AAAGCCWxvY2FsaG9zdDAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBSRbDSxNki2rkCRwmzFFJX11N1lVDAKBggq
hkjOPQQDAgNIADBFAiEA7kgtovOZt5OfLha1jQ4fRfAGsZT7/7kJvfp8S70h2HsC
IAW6pBPxNtB8L7YW2snKc5aW4xPZMz12V0S10Wy9HTPa
-----END CERTIFICATE-----`;

/** A certificate that ended in 2019. */
export const EXPIRED_AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBaTCCAQ+gAwIBAgIBAjAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtiYWxsYXN0
IG9sZDAeFw0xODAxMDEwMDAwMDBaFw0xOTAxMDEwMDAwMDBaMBYxFDASBgNVBAMM
C2JhbGxhc3Qgb2xkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzKIxGpDn3ciV
E5/GyYoLt72qkchzEK9DfYz8k/DirbLCRn51W+aiYz5ki9Z0RGajOI6xCoFpmQvu
BEgpVjp7AKNOMEwwGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MA8GA1UdEwEB
/wQFMAMBAf8wHQYDVR0OBBYEFJFsNLE2SLauQJHCbMUUlfXU3WVUMAoGCCqGSM49
BAMCA0gAMEUCIQDIM6fOR5LLRboqxmIgFypBhOpO8M6STsT10OFzF7ZjpwIgOm3F
t1hLt8e1HVuOnMSUodMyWP/kRHrz2TV9+S/6gpU=
-----END CERTIFICATE-----`;

async function portOf(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Joins two sockets until one of them ends. */
function join(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy()).on('close', () => other.destroy());
  other.on('error', () => one.destroy()).on('close', () => one.destroy());
  one.pipe(other).pipe(one);
}

/** The base URL of a TLS front of the server at `port`. */
export async function tlsBefore(port: number): Promise<string> {
  const server = createSecureServer({ key: KEY, cert: AUTHORITY }, (socket) =>
    join(socket, connect(port, '127.0.0.1')),
  );
  return `https://127.0.0.1:${await portOf(server)}`;
}

/** An outgoing proxy, and where its tunnels led. */
export async function aProxy(
  status = 200,
): Promise<{ readonly url: string; readonly led: readonly string[] }> {
  const led: string[] = [];
  const server = createServer((_asked, answer) => void answer.writeHead(405).end());
  server.on('connect', ({ url = '' }, socket: Socket) => {
    led.push(url);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const [host = '', port = ''] = url.split(':');
    const on = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(socket, on);
    });
    on.on('error', () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await portOf(server)}`, led };
}
