import { param, topic } from 'ballast/strategy';

/** What the signaler publishes and the trader hears. */
export const signal = topic(
  'signal',
  param.object({ symbol: param.symbol(), side: param.choice(['buy', 'sell']) }),
);
