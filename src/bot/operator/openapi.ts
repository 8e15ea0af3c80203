/** @module The OpenAPI document of the door, made from the tables of reads and actions. */
import { FLAG, type JsonObject, type Parameter, type Parameters, VERSION } from '../../core/index.ts';
import { OPERATOR_ACTIONS } from './actions.ts';
import { PROBES } from './probes.ts';
import { OPERATOR_READS } from './reads.ts';

const REF = '#/components/schemas/';
const TEXT = { type: 'string' };

/** The document. */
export function operatorOpenApi(): object {
  const reads = OPERATOR_READS.map(({ name, description, parameters }) => [
    `/${name}`,
    { get: operation(name, description, { parameters: Object.entries(parameters).map(queryOf) }) },
  ]);
  const actions = OPERATOR_ACTIONS.map(({ name, description, gives, parameters }) => [
    `/control/${name}`,
    {
      post: operation(name, `${description} Gives ${gives}.`, {
        requestBody: { required: true, content: json(schemaOfParameters(parameters)) },
        answer: { $ref: `${REF}ActionAnswer` },
      }),
    },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'ballast: the door of a run',
      version: VERSION,
      description:
        'Each run serves this on loopback. Address and token are in `control.json` in the folder of the run. Amounts, prices and sizes are decimal text.',
    },
    security: [{ token: [] }],
    paths: Object.fromEntries([...reads, ...DASHBOARD, ...PROBES.map(probe), ...actions]),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ActionAnswer: ANSWER, Error: ERROR },
    },
  };
}

function operation(
  name: string,
  description: string,
  { answer = { type: 'object' }, ...rest }: { readonly answer?: object } & Readonly<Record<string, unknown>>,
): object {
  return {
    operationId: name,
    summary: description,
    ...rest,
    responses: {
      200: { description: 'The answer.', content: json(answer) },
      default: { description: 'A refusal, by name.', content: json({ $ref: `${REF}Error` }) },
    },
  };
}

/** Without a token where `operator.openMetrics` says so. */
function probe({ name, description }: (typeof PROBES)[number]): readonly [string, object] {
  const text = { content: { [name === 'metrics' ? 'text/plain' : 'application/json']: {} } };
  const responses = {
    200: { description: 'It is so.', ...text },
    503: { description: 'It is not.', ...text },
  };
  const security = [{ token: [] }, {}];
  return [`/${name}`, { get: { operationId: name, summary: description, security, responses } }];
}

/** The JSON schema of parameters in a body. */
export function schemaOfParameters(parameters: Parameters): JsonObject {
  const named = Object.entries(parameters);
  const required = named.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(named.map(([name, parameter]) => [name, schemaOf(parameter)])),
  };
}

function queryOf([name, parameter]: readonly [string, Parameter<unknown>]): object {
  return { ...{ name, in: 'query' }, required: parameter.isRequired, schema: schemaOf(parameter, 'integer') };
}

function schemaOf({ type, about, preset }: Parameter<unknown>, otherwise = 'string'): object {
  const description = `${about}: ${type.expected}${preset === undefined ? '' : `; left out: ${preset}`}.`;
  return { type: Object.is(type, FLAG) ? 'boolean' : otherwise, description };
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

const ANSWER = {
  type: 'object',
  required: ['action', 'scope', 'before', 'after', 'isConfirmed', 'waitsFor', 'halts'],
  properties: {
    action: TEXT,
    scope: { ...TEXT, description: '`account`, `market BTC-USD` or `strategy maker`.' },
    before: { description: 'State of the scope, or value of the parameter, before the action.' },
    after: { description: 'The same after it.' },
    isConfirmed: { type: 'boolean', description: 'Whether the effect is there.' },
    waitsFor: { type: 'array', items: TEXT, description: 'What the effect still waits for.' },
    halts: {
      type: 'array',
      description: 'What is halted until a person resumes it.',
      items: {
        type: 'object',
        required: ['control', 'scope', 'reason'],
        properties: { control: TEXT, scope: TEXT, reason: TEXT },
      },
    },
  },
};

/** What the page of the dashboard asks for. The files of the page itself (`GET /`) need no token. */
const DASHBOARD = [
  [
    '/runs',
    {
      get: operation(
        'runs',
        'The runs of this user, newest first, and whether a report of each can be made.',
        {},
      ),
    },
  ],
  ['/view', { get: operation('view', 'All that the dashboard shows, at one instant.', {}) }],
  [
    '/feed',
    {
      get: {
        operationId: 'feed',
        summary:
          'The same as a stream of server-sent events, twice a second; the first has the past, each after it what is new. A reader that does not keep up is dropped.',
        responses: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: TEXT } } },
        },
      },
    },
  ],
  [
    '/reports/{runId}',
    {
      post: operation(
        'report',
        'Makes the report of a run that has ended. Gives the path where a browser opens it, once and within a minute.',
        { parameters: [{ name: 'runId', in: 'path', required: true, schema: TEXT }] },
      ),
    },
  ],
] as const;

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'remedy'],
      properties: { code: TEXT, message: TEXT, remedy: TEXT },
    },
  },
};
