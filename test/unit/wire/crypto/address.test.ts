/** @module Addresses: lower case inside, EIP-55 for people. The four cases are those of EIP-55 itself. */
import { describe, expect, test } from 'vitest';
import { ADDRESS } from '../../../../src/core/index.ts';
import { checksumAddress, isSameAddress } from '../../../../src/wire/crypto/address.ts';
import { hasValidChecksum } from '../../../../src/wire/crypto/index.ts';

const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('addresses', () => {
  test.each(CHECKSUMMED)('%s survives lower case and back', (address) => {
    const read = ADDRESS.read(address) ?? '';
    expect(read).toBe(address.toLowerCase());
    expect(checksumAddress(`0x${read.slice(2)}`)).toBe(address);
    expect(hasValidChecksum(address)).toBe(true);
  });

  test('one case has no checksum to violate, mixed case has', () => {
    const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
    expect(hasValidChecksum(address)).toBe(true);
    expect(hasValidChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(true);
    expect(hasValidChecksum('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(false);
    expect(hasValidChecksum('hello')).toBe(false);
  });

  test('are compared whatever their case', () => {
    expect(isSameAddress('0xAB', '0xab')).toBe(true);
    expect(isSameAddress('0xAB', '0xac')).toBe(false);
  });

  test('error: refuses what is not 0x and 40 digits', () => {
    const digits = CHECKSUMMED[0]?.slice(2) ?? '';
    for (const value of ['', '0x', '0x12', digits, `0x${'g'.repeat(40)}`, `0x${digits}\n`, 170])
      expect(ADDRESS.read(value), String(value)).toBe(undefined);
  });
});
