// Exit code 0 while the process of the bot lives and its limits are looked after; needs operator.openMetrics: true.
import { get } from 'node:http';

const port = Number(process.env.BALLAST_PORT ?? 9464);
const request = get({ host: '127.0.0.1', port, path: '/healthz', timeout: 4_000 }, (response) => {
  response.resume();
  response.on('end', () => process.exit(response.statusCode === 200 ? 0 : 1));
});
request.on('timeout', () => request.destroy(new Error('no answer')));
request.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
