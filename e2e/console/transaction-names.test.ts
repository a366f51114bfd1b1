import type { TransactionNames } from '@firsthand/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newTraceId, sendTransaction } from '../lib/transactions.ts'

const ORGANIZATION = 'transaction-names'

describe('names of transactions', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(() => closePages(browser))

  const send = (name: string): Promise<void> =>
    sendTransaction(server.account.dsn, {
      traceId: newTraceId(),
      startMs: Date.now() - 1000,
      root: { op: 'http.server', name, from: 0, to: 20 },
    })
  const names = (): Promise<TransactionNames> =>
    apiOf(server).get<TransactionNames>(`/projects/${ORGANIZATION}/shop/transaction-names/`)
  const listed = async (): Promise<string[]> => {
    const path = `/organizations/${ORGANIZATION}/events/?dataset=spans&field=transaction&field=count()&query=is_transaction:true&statsPeriod=1h`
    const { data } = await apiOf(server).get<{ data: readonly { readonly transaction: string }[] }>(path)
    return data.map(({ transaction }) => transaction)
  }

  it('T28, T29: a rule is learned, refused and used again; one of the project holds for what comes next', async () => {
    for (let index = 0; index < 31; index += 1) {
      await send(`GET /shop/shoes-${String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26))}/reviews`)
    }
    await eventually(async () => (await names()).rules.map(({ pattern }) => pattern)).toEqual(['/shop/*/**'])
    await eventually(listed).toContain('GET /shop/*/reviews')

    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 400/])
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/settings/projects/shop`)
    await page.getByRole('tab', { name: 'Names' }).click()
    const rule = page.getByRole('listitem').filter({ hasText: '/shop/*/**' })
    await rule.getByText('GET /shop/shoes-db/reviews → GET /shop/*/reviews').waitFor()
    await rule.getByRole('button', { name: 'Refuse' }).click()
    await rule.getByText('Refused').waitFor()
    expect((await names()).rules).toMatchObject([{ isRefused: true }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await rule.getByText('Learned').waitFor()
    expect((await names()).rules).toMatchObject([{ isRefused: false }])

    const path = page.getByRole('textbox', { name: 'Path' })
    await path.fill('/*')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByText('A rule needs a part that is more than `*`.').waitFor()
    await path.fill('/help/**')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('listitem').filter({ hasText: '/help/**' }).getByText('Yours').waitFor()
    await eventually(async () => {
      await send('GET /help/2026/11')
      return listed()
    }).toContain('GET /help/2026/11')
    expect(complaints.list).toEqual([])
    await close()
  })
})
