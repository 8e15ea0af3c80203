import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../tidy/source.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

describe('package exports', () => {
  test.each(Object.keys(manifest.exports))(
    '%s leads to a source with exports, in a clone and in a build',
    async (name) => {
      const entry = manifest.exports[name] ?? {};
      const source = entry['ballast-source'] ?? '';
      const module = (await import(join(ROOT, source))) as Record<string, unknown>;
      expect(Object.keys(module).length).toBeGreaterThan(3);
      const built = `./dist/${source.replace('./', '').replace(/\.ts$/, '.js')}`;
      expect(entry['default']).toBe(built);
      expect(entry['types']).toBe(built.replace(/\.js$/, '.d.ts'));
    },
  );

  test('a plugin finds the SDK by its name', async () => {
    const sdk = (await import('ballast/strategy')) as Record<string, unknown>;
    expect(typeof sdk['defineStrategy']).toBe('function');
  });
});
