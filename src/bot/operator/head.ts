/**
 * @module
 * What a request must bring, judged by its head alone: it comes from a program or a page of this machine, and it knows the
 * token of the run.
 */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../core/index.ts';

/** The head of a request, as far as it is judged. */
export interface Head {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

/** Why a request is refused. */
export interface HeadRefusal {
  readonly status: 401 | 403;
  readonly code: string;
  readonly message: string;
}

/** What a head is judged by. */
export interface HeadRules {
  /** `undefined`: this request needs none. */
  readonly token: string | undefined;
  /** Names, beside those of this machine, under which the door may be asked. */
  readonly hosts: readonly string[];
}

/** Another name is that of a page which had it resolved to this machine. A tunnel may have any port. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?$/;

/** Why the request with this head is refused; `undefined`: it is not. */
export function refusalOf(
  { host = '', origin, authorization = '' }: Head,
  { token, hosts }: HeadRules,
): HeadRefusal | undefined {
  const name = host.toLowerCase();
  if (!LOOPBACK.test(name) && !hosts.includes(name.replace(/:[0-9]{1,5}$/, '')))
    return foreign(
      `expected the header host as ${['127.0.0.1', 'localhost', '[::1]', ...hosts].join(', ')}, got another name`,
    );
  if (origin !== undefined && origin.toLowerCase() !== `http://${name}`)
    return foreign('expected no header origin, or the own one, got another one');
  if (token === undefined) return undefined;
  const given = /^Bearer (?<token>\S{1,200})$/.exec(authorization)?.groups?.['token'] ?? '';
  // Hashes have one length, and tell nothing by the time that it takes to compare them.
  if (timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)))) return undefined;
  return {
    status: 401,
    code: 'OPERATOR_TOKEN_REFUSED',
    message: 'expected the header authorization with the token of this run, got none or another one',
  };
}

function foreign(message: string): HeadRefusal {
  return { status: 403, code: 'OPERATOR_ORIGIN_REFUSED', message };
}
