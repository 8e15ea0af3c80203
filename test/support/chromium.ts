/** @module The browser of tests: Chromium of the machine, without a window. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts it. */
export function launchChromium(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error(`expected a browser in ${PLACES.join(', ')}: install Debian's chromium`);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
