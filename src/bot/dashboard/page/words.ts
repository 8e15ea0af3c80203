/** @module Numbers and times in words, for the page. */

/** An amount of collateral: cents, and more digits where it is less than one. */
export function moneyWords(text: string | undefined): string {
  if (text === undefined) return '–';
  const value = Number(text);
  const digits = Math.abs(value) >= 1 || value === 0 ? 2 : 4;
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits });
}

/** As {@link moneyWords} with its sign. */
export function signedWords(text: string | undefined): string {
  return text !== undefined && Number(text) > 0 ? `+${moneyWords(text)}` : moneyWords(text);
}

/** Decimal text with grouped digits: a price or a size, with all its decimals. */
export function digitWords(text: string | undefined): string {
  if (text === undefined) return '–';
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replaceAll(/\B(?=(?:[0-9]{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A time of the day, UTC. */
export function clockWords(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : new Date(ms).toISOString().slice(11, 19);
}

/** A day and a time, UTC. */
export function instantWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A length of time. */
export function lengthWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor(minutes / 60) % 24} h`;
}

/** `good`, `bad` or nothing, after the sign of an amount. */
export function toneOf(text: string | undefined): string {
  const value = Number(text ?? 0);
  return value > 0 ? 'good' : value < 0 ? 'bad' : '';
}
