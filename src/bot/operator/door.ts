/**
 * @module
 * The door of a run: reads and actions over HTTP on loopback, for who has the token. It hears of a run through its port
 * and answers between two turns of the kernel.
 */
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import {
  BotError,
  formatJson,
  type JsonObject,
  type Log,
  messageOf,
  parseJson,
  secrets,
} from '../../core/index.ts';
import type { Dashboard } from '../dashboard/index.ts';
import { HOST, portRefused } from './door-port.ts';
import { refusalOf } from './head.ts';
import type { ProbeAnswer } from './probes.ts';
import { addSite, isPublic } from './site.ts';

/** Where a door is reached. */
export interface DoorPlace {
  /** 0: any that is free. */
  readonly port: number;
  /** The address it listens at; absent: loopback. */
  readonly address?: string;
  /** Names, beside those of this machine, under which it may be asked. */
  readonly hosts?: readonly string[];
  /** True: probes need no token. */
  readonly hasOpenProbes?: boolean;
}

/** What a door serves. */
export interface DoorPlan extends DoorPlace {
  readonly token: string;
  readonly log: Log;
  /** The OpenAPI document. */
  readonly document: object;
  /** Names of the reads, and of the actions. */
  readonly reads: readonly string[];
  readonly actions: readonly string[];
  /** @throws BotError for what is refused. */
  read(name: string, query: JsonObject): object;
  /** What machines ask, by path. */
  readonly probes: ReadonlyMap<string, () => Promise<ProbeAnswer>>;
  /** @throws BotError for what is refused. */
  act(name: string, body: unknown): object | Promise<object>;
  /** The page of a run; absent: there is none. */
  readonly dashboard?: Dashboard;
  /** Where a browser opens the report of a run, once. @throws BotError for what is refused. */
  report?(runId: string): Promise<object>;
}

/** A door that is open. */
export interface Door {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Ends it; what is being answered is cut. */
  close(): void;
}

const BODY_BYTES_MAX = 65_536;
const CONNECTIONS_MAX = 64;
/** A head must be there within this time, ms, and a whole request. */
const HEAD_MS_MAX = 5_000;
const REQUEST_MS_MAX = 10_000;

/** Opens a door. @throws ConfigError `CONFIG_PORT_IN_USE` when the port cannot be had. */
export async function openDoor(plan: DoorPlan): Promise<Door> {
  const server = createAdaptorServer({
    fetch: routesOf(plan).fetch,
    overrideGlobalObjects: false,
    serverOptions: { headersTimeout: HEAD_MS_MAX, requestTimeout: REQUEST_MS_MAX, maxHeaderSize: 16_384 },
  });
  if ('maxConnections' in server) server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portRefused(plan.port, cause)));
    server.listen(plan.port, plan.address ?? HOST, () => resolve());
  });
  server.on('error', (cause) => plan.log.error('the door of the run fails', { error: messageOf(cause) }));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : plan.port;
  return {
    baseUrl: `http://${HOST}:${port}`,
    close: () => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

function routesOf(plan: DoorPlan): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (context, next) => {
    const { req } = context;
    const head = {
      host: req.header('host'),
      origin: req.header('origin'),
      authorization: req.header('authorization'),
    };
    const isPage = plan.dashboard !== undefined && /^(?:GET|HEAD)$/.test(req.method) && isPublic(req.path);
    const isOpenProbe = plan.hasOpenProbes === true && plan.probes.has(req.path);
    const rules = { token: isPage || isOpenProbe ? undefined : plan.token, hosts: plan.hosts ?? [] };
    const refusal = refusalOf(head, rules);
    if (refusal === undefined) return await next();
    const { status, code, message } = refusal;
    return answer(
      context,
      status,
      errorOf({ code, message, remedy: 'Take address and token from control.json.' }),
    );
  });
  app.use(
    bodyLimit({ maxSize: BODY_BYTES_MAX, onError: (context) => answer(context, 413, errorOf(TOO_LARGE)) }),
  );
  app.get('/openapi.json', (context) => answer(context, 200, plan.document));
  for (const name of plan.reads)
    app.get(`/${name}`, (context) => guarded(context, plan, () => plan.read(name, context.req.query())));
  for (const [path, probe] of plan.probes)
    app.get(path, async (context) => {
      const { status, type, text } = await probe();
      return said(context, { status, type, text });
    });
  app.get('/control', (context) => answer(context, 200, { actions: plan.actions }));
  for (const name of plan.actions)
    app.post(`/control/${name}`, (context) =>
      guarded(context, plan, async () => await plan.act(name, bodyOf(await context.req.text()))),
    );
  const { dashboard, report } = plan;
  if (dashboard !== undefined) addSite(app, dashboard);
  if (report !== undefined)
    app.post('/reports/:runId', (context) =>
      guarded(context, plan, async () => await report(context.req.param('runId'))),
    );
  app.notFound((context) => answer(context, 404, errorOf(notFound(plan))));
  return app;
}

async function guarded(
  context: Context,
  { log }: DoorPlan,
  work: () => object | Promise<object>,
): Promise<Response> {
  try {
    return answer(context, 200, await work());
  } catch (thrown) {
    if (thrown instanceof BotError) return answer(context, statusOf(thrown), errorOf(thrown));
    log.error('a request at the door of the run failed', { error: thrown });
    return answer(context, 500, errorOf({ code: 'UNEXPECTED', message: messageOf(thrown), remedy: '' }));
  }
}

function statusOf({ code }: BotError): number {
  return code === 'CONTROL_REFUSED' ? 409 : 400;
}

function answer(context: Context, status: number, document: object): Response {
  return said(context, { status, type: 'application/json; charset=utf-8', text: formatJson(document) });
}

function said(
  context: Context,
  { status, type, text }: Omit<ProbeAnswer, 'status'> & { readonly status: number },
): Response {
  context.header('content-type', type);
  context.header('cache-control', 'no-store');
  context.header('x-content-type-options', 'nosniff');
  return context.body(secrets.scrub(text), status as 200);
}

/** What a refusal says. */
export interface DoorError {
  readonly error: { readonly code: string; readonly message: string; readonly remedy: string };
}

function errorOf({ code, message, remedy }: DoorError['error']): DoorError {
  return { error: { code, message, remedy } };
}

function bodyOf(text: string): unknown {
  try {
    return text === '' ? {} : parseJson(text);
  } catch (cause) {
    throw new BotError({
      code: 'CONTROL_INVALID',
      message: `expected a body of JSON, got ${messageOf(cause)}`,
      remedy: 'GET /openapi.json has the parameters of each action.',
    });
  }
}

const TOO_LARGE = {
  code: 'CONTROL_INVALID',
  message: `expected a body of at most ${BODY_BYTES_MAX} bytes, got a larger one`,
  remedy: 'Send the parameters of one action.',
};

function notFound({ reads, probes, actions }: DoorPlan): DoorError['error'] {
  const gets = [...reads.map((name) => `/${name}`), ...probes.keys()];
  const paths = [...gets.map((path) => `GET ${path}`), ...actions.map((name) => `POST /control/${name}`)];
  return {
    code: 'CONTROL_UNKNOWN',
    message: `expected one of ${paths.join(', ')}, got another request`,
    remedy: 'GET /openapi.json describes each of them.',
  };
}
