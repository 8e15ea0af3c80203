import { describe, expect, test } from 'vitest';
import { startTestExchange } from '../support/test-exchange.ts';
import { created, deposit, outcome, redeem, vaultOf, WALLET, winOrLose } from '../support/vault-scene.ts';

describe('reads and channels of a vault', () => {
  const READS = [
    '',
    '/positions',
    '/orders',
    '/orders/history',
    '/fills',
    '/ledger',
    '/funding',
    '/withdrawals',
    '/agents',
    '/nonce',
    '/portfolio',
    '/vaults',
  ];

  test.each(READS)('/v1/account%s takes the vault alone (obligation O16)', async (path) => {
    const venue = await startTestExchange();
    const vault = created(venue);
    expect(venue.get(`/v1/account${path}?vault=${vault}`).status).toBe(200);
    expect(venue.get(`/v1/account${path}?vault=${vault}&address=${venue.address}`).status).toBe(400);
    expect(venue.get(`/v1/account${path}?vault=${vault}&subaccount=0`).status).toBe(400);
    expect(venue.get(`/v1/account${path}?vault=999`).status).toBe(404);
    expect(venue.get(`/v1/account${path}?vault=${venue.account.accountId}`).status).toBe(404);
  });

  test('an order by its client id is the vault’s own', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    deposit(venue, vault, '1000');
    venue.place([{ clientOrderId: 'of-the-vault' }], { vault });
    expect(venue.get(`/v1/orders/client/of-the-vault?vault=${vault}`).status).toBe(200);
    expect(venue.get(`/v1/orders/client/of-the-vault?address=${venue.address}`).status).toBe(404);
  });

  test.each(['/v1/vaults/999', '/v1/vaults/x/nav', '/v1/vaults/999/depositors'])(
    '%s is 404',
    async (path) => {
      const venue = await startTestExchange();
      created(venue);
      expect(outcome(venue.get(path))).toEqual([404, 'NotFound']);
    },
  );

  test('its frames name the vault and nobody’s address; one that does not exist is refused', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    const stream = venue.stream();
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger'])
      stream.subscribe({ channel, vault });
    deposit(venue, vault, '1000');
    winOrLose(venue, vault, 1_010_000);
    venue.blocks(1);
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger']) {
      const frame = stream.of(channel).at(-1);
      expect(frame).toMatchObject({ vault, epoch: venue.exchange.epoch });
      expect(frame).not.toHaveProperty('address');
    }
    stream.subscribe({ channel: 'orders', vault: '999' });
    stream.subscribe({ channel: 'orders', vault, subaccount: 0 });
    expect(stream.of('error').map(({ data }) => data.code)).toEqual(['NotFound', 'InvalidRequest']);
  });

  test('its net asset value is sampled at each change of shares and each hour', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    expect(venue.get(`/v1/vaults/${vault}/nav`).json).toEqual({ points: [] });
    deposit(venue, vault, '1000');
    venue.blocks(1);
    winOrLose(venue, vault, 1_100_000);
    venue.clock.advance(3_600_000 * 2);
    const { points } = venue.get(`/v1/vaults/${vault}/nav`).json;
    expect(points.map((point: { navPerShare: string }) => point.navPerShare)).toHaveLength(3);
    expect(points[0]).toMatchObject({
      navPerShare: '1.000000',
      equity: '1000.000000',
      shares: '1000.000000',
    });
    expect(points[1].ts % 3_600_000).toBeLessThan(venue.exchange.settings.blockMs);
    expect(Number(points[2].navPerShare)).toBeGreaterThan(1.09);
    expect(venue.get(`/v1/vaults/${vault}/nav?limit=1`).json.points).toEqual([points[2]]);
    expect(points[0].navPerShare).toBe('1.000000');
  });

  test('raw events tell what happened to it', async () => {
    const venue = await startTestExchange();
    const fresh = venue.exchange.control.freshVault({ name: 'Seeded' }).vault;
    venue.write(`/v1/vaults/${fresh}/claim`, {}, WALLET);
    const vault = created(venue);
    deposit(venue, vault, '10');
    redeem(venue, vault, '4');
    venue.write(`/v1/vaults/${vault}/config`, { depositCap: '50', leverageMax: null }, WALLET);
    const { data } = venue.get('/v1/events?limit=1000').json;
    const told = data.filter(({ kind }: { kind: string }) => kind.startsWith('Vault'));
    expect(told.map(({ kind, data: said }: { kind: string; data: object }) => [kind, said])).toEqual([
      ['VaultCreated', { accountId: 0, vault: fresh, name: 'Seeded' }],
      ['VaultClaimed', { accountId: venue.account.accountId, vault: fresh }],
      ['VaultCreated', { accountId: venue.account.accountId, vault, name: 'Basis trade' }],
      [
        'VaultDeposited',
        { accountId: venue.account.accountId, vault, amount: '10.000000', shares: '10.000000' },
      ],
      [
        'VaultRedeemed',
        { accountId: venue.account.accountId, vault, amount: '4.000000', shares: '4.000000' },
      ],
      [
        'VaultConfigured',
        { accountId: venue.account.accountId, vault, depositCap: '50.000000', leverageMax: null },
      ],
    ]);
    const ids = data.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('it outlives a new ledger: shares, manager and balance stay', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    deposit(venue, vault, '1000');
    const before = vaultOf(venue, vault);
    venue.exchange.control.epoch();
    expect(vaultOf(venue, vault)).toEqual(before);
    expect(venue.get(`/v1/account/ledger?vault=${vault}`).json.data).toMatchObject([
      { kind: 'opening', amount: '1000.000000' },
    ]);
  });

  test('what was rolled back never happened to it', async () => {
    const venue = await startTestExchange({ keepsLog: true });
    const vault = created(venue);
    deposit(venue, vault, '1000');
    const before = vaultOf(venue, vault);
    const points = venue.get(`/v1/account/portfolio?vault=${vault}`).json;
    const rollBackTo = venue.exchange.seq;
    redeem(venue, vault, '400');
    created(venue, 'too late');
    venue.exchange.control.restart({ down: 100, rollBackTo });
    venue.blocks(2);
    expect(venue.get('/v1/vaults').json.vaults).toEqual([before]);
    expect(venue.get(`/v1/account/portfolio?vault=${vault}`).json.points.slice(0, 1)).toEqual(points.points);
    venue.forgetNonces();
    expect(outcome(redeem(venue, vault, '1000'))).toEqual([200, 'executed']);
  });

  test('a replica that is behind does not know it yet', async () => {
    const venue = await startTestExchange({ replicaLagMs: 60_000 });
    const answer = venue.write('/v1/vaults', { name: 'a' }, { ...WALLET, nonce: 2n });
    expect(venue.get(`/v1/vaults/${answer.json.vault.id}`).status).toBe(404);
    venue.clock.advance(60_000);
    expect(venue.get(`/v1/vaults/${answer.json.vault.id}`).status).toBe(200);
  });
});

describe('raw events of one account', () => {
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

  test('are those about it alone: of a vault, of a wallet (obligation O16)', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    deposit(venue, vault, '1000');
    venue.place([{}], { vault });
    venue.place([{}]);
    venue.blocks(3);
    const kinds = (query: string) =>
      venue.get(`/v1/events?${query}`).json.data.map(({ kind }: { kind: string }) => kind);
    expect(kinds(`vault=${vault}`)).toEqual([
      'VaultCreated',
      'Transferred',
      'VaultDeposited',
      'OrderAccepted',
    ]);
    const own = kinds(`address=${venue.address}`);
    expect(own.filter((kind: string) => kind === 'OrderAccepted')).toHaveLength(1);
    expect(own).not.toContain('BlockBegun');
    expect(kinds('limit=1000')).toContain('BlockBegun');
    expect(outcome(venue.get(`/v1/events?vault=${vault}&address=${venue.address}`))).toEqual([
      400,
      'InvalidRequest',
    ]);
    expect(outcome(venue.get('/v1/events?vault=999'))).toEqual([404, 'NotFound']);
  });

  test.each(['ascending', 'descending'] as const)(
    'come in pages with the bounds of the first, %s (ambiguity A7)',
    async (A7) => {
      const venue = await startTestExchange({ quirks: { A7 } });
      const vault = created(venue);
      for (let i = 0; i < 5; i++) {
        deposit(venue, vault, '1');
        venue.blocks(1);
      }
      const whole = idsOf(venue.get(`/v1/events?vault=${vault}`).json);
      expect(whole).toHaveLength(11);
      let page = venue.get(`/v1/events?vault=${vault}&limit=4`).json;
      const walked = idsOf(page);
      while (page.hasMore) {
        const rest = `&after=${page.next}&epoch=${page.epoch}&upper=${page.upper}`;
        page = venue.get(`/v1/events?vault=${vault}&limit=4${rest}`).json;
        walked.push(...idsOf(page));
      }
      expect(walked).toEqual(whole);
    },
  );
});
