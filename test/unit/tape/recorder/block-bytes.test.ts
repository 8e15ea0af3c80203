import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockBytes } from '../../../../src/tape/recorder/block-bytes.ts';

test('text is escaped and numbers are written as JSON has them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.array(
        fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeNat(), fc.nat(), fc.nat(200)),
      ),
      (text, numbers) => {
        const bytes = new BlockBytes(16);
        bytes.text('["');
        bytes.escaped(Buffer.from(text));
        bytes.text('",');
        bytes.text('[');
        bytes.numbers(Float64Array.from(numbers));
        bytes.text(']]');
        const whole = Buffer.from(text).toString();
        expect(bytes.content.toString()).toBe(JSON.stringify([whole, numbers]));
      },
    ),
  );
});
