import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { ANN, BEN, changedSettings, messageOf, noticeOf, seedPeople } from '../people.fixture.ts'
import { sendDigests } from './digests.ts'
import { createPersonalNotices } from './erase-notices.ts'
import { notify } from './notify.ts'
import { createNoticeSettings } from './settings.ts'

const DAY = 24 * 60 * 60_000

describe.each(LEDGER_ENGINES)('what people were told of somebody who is erased, on $name', ({ open }) => {
  let opened: OpenedLedger
  let now = 0

  beforeEach(async () => {
    opened = await open()
    now = opened.clock.now()
    await seedOrganization(opened.ledger)
    await seedPeople(opened.ledger, now)
  })
  afterEach(() => opened.close())

  it('stays in inboxes and is mailed without them', async () => {
    const { ledger } = opened
    const wanted = changedSettings({ kinds: { alert: { mail: 'digest', inbox: 'now' } } })
    await createNoticeSettings(opened).save(ANN, wanted, now)
    const rows = [
      { name: 'Project', value: 'shop' },
      { name: 'Person', value: 'Marta@X.example' },
    ]
    const message = messageOf('New: TypeError', { blocks: [{ kind: 'facts', rows }] })
    const tell = (cause: string) =>
      ledger.transaction((transaction) =>
        notify(transaction, [noticeOf({ userIds: [ANN, BEN], kind: 'alert', cause, message })], now),
      )
    // From this mail on others are gathered.
    await tell('issue:1')
    await ledger.db.deleteFrom('outbox').execute()
    await tell('issue:2')
    const texts = async () => {
      const entries = await ledger.db.selectFrom('notice_entries').select('message').execute()
      const mails = await ledger.db.selectFrom('notice_mails').select('message').execute()
      return [entries.map((row) => row.message), mails.map((row) => row.message)]
    }
    expect((await texts()).map((some) => some.length)).toEqual([4, 1])
    const data = createPersonalNotices(opened)
    const marta = {
      organizationId: 1,
      keys: ['email:marta@x.example'],
      emails: ['marta@x.example'],
      receivedUntil: now,
    }
    expect(await data.count({ ...marta, emails: ['m@x.example'], keys: [] }, 1)).toBe(0)
    expect(await data.count(marta, 1)).toBe(5)
    await data.erase(marta, new AbortController().signal)
    expect(await data.count(marta, 1)).toBe(0)
    for (const text of (await texts()).flat()) {
      expect(JSON.parse(text)).toMatchObject({ headline: 'New: TypeError', blocks: [{ rows: rows.slice(0, 1) }] })
    }
    await sendDigests(ledger, now + DAY)
    const sent = await ledger.db
      .selectFrom('outbox')
      .select(['user_id', 'message'])
      .where('user_id', '=', ANN)
      .execute()
    expect(sent.map((row) => /marta/i.test(row.message))).toEqual([false])
  })
})
