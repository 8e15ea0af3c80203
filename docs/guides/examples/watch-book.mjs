// Prints the touch of a market from the stream, then ends.
//
//   node docs/guides/examples/watch-book.mjs <wsUrl> [frames]
import WebSocket from 'ws';

const [wsUrl, frames = '5'] = process.argv.slice(2);
const socket = new WebSocket(wsUrl);
let left = Number(frames);

socket.on('open', () => {
  const params = { channel: 'book', symbol: 'BTC-USD' };
  socket.send(JSON.stringify({ method: 'subscribe', params, id: 1 }));
});
socket.on('message', (text) => {
  const { channel, isSnapshot, seq, data } = JSON.parse(text);
  if (channel !== 'book') return; // `subscribed` comes first and names the epoch
  // Every frame is the whole book to its depth: replace yours, merge nothing.
  const [[bid]] = data.bids;
  const [[ask]] = data.asks;
  console.log(`${isSnapshot ? 'snapshot' : 'update'} seq ${seq}: ${bid} / ${ask}`);
  if (--left === 0) socket.close();
});
