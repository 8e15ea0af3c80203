import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askSecret } from '../../../../src/cli/terminal/secret-prompt.ts';

test('a secret is read from an open file, without the blanks around it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-secret-'));
  const file = join(folder, 'key');
  writeFileSync(file, ' 0xabc\n', { mode: 0o600 });
  const descriptor = openSync(file, 'r');
  try {
    expect(await askSecret('key: ', descriptor)).toBe('0xabc');
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});
