import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createDeploys, currentDeploys } from './deploys.ts'
import { nameRelease } from './writing.ts'

/** An engine starts here, on machines that may be busy. */
const ENGINE_STARTS_MS = 120_000

describe.each(LEDGER_ENGINES)('where releases run, with a ledger on $name', (engine) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await engine.open()
    await seedOrganization(opened.ledger)
  }, ENGINE_STARTS_MS)
  afterEach(() => opened.close())

  it('is where no newer deploy of the same project is, be they told in any order', async () => {
    const { ledger } = opened
    const named = (version: string): Promise<{ readonly id: number }> =>
      ledger.transaction((transaction) =>
        nameRelease(transaction, { organizationId: 1, version, projectIds: [1], now: 1 }),
      )
    const [old, newer] = [await named('1.0.0'), await named('1.1.0')]
    const deploys = createDeploys({ ledger })
    const deploy = (release: { readonly id: number }, environment: string, finishedAt: number) =>
      deploys.add(release.id, { environment, finishedAt, name: null, url: null, startedAt: null })
    const runIn = async (release: { readonly id: number }): Promise<readonly string[]> => {
      const found = await currentDeploys(ledger.db, [old.id, newer.id])
      return found.filter(({ releaseId }) => releaseId === release.id).map((one) => one.deploy.environment)
    }
    await deploy(old, 'production', 10)
    await deploy(old, 'staging', 20)
    expect([await runIn(old), await runIn(newer)]).toEqual([['staging', 'production'], []])
    await deploy(newer, 'staging', 20)
    expect([await runIn(old), await runIn(newer)]).toEqual([['production'], ['staging']])
    await deploy(newer, 'production', 9)
    expect([await runIn(old), await runIn(newer)]).toEqual([['production'], ['staging']])
  })
})
