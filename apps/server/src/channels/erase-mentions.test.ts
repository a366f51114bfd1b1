import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPersonalMentions, createPersonalMessages } from './ledger/erase-mentions.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import { LIMITS } from './limits.ts'
import type { Message } from './message.ts'
import { startMailbox, type Mailbox } from './test/mailbox.ts'
import { message, openOutbox, type OpenedOutbox } from './test/outbox.ts'

const MARTA = { id: '7', email: 'Marta@X.example' }
const JONAS = { id: '70', email: 'jonas@x.example' }

const happenedTo = (user: { readonly id: string; readonly email: string | null }, more: Partial<Message> = {}) =>
  message({
    blocks: [
      { kind: 'code', text: 'TypeError: it broke' },
      {
        kind: 'facts',
        rows: [
          { name: 'Project', value: 'shop' },
          { name: 'Address', value: `https://shop.example/?of=${user.email}` },
          { name: 'Person', value: user.email ?? user.id },
        ],
      },
    ],
    about: { rule: { id: 1, name: 'New issues' }, event: { eventId: 'e1', user, tags: [['user', `id:${user.id}`]] } },
    ...more,
  })

describe.each(LEDGER_ENGINES)('messages that name a person who is erased, on $name', ({ open }) => {
  let opened: OpenedLedger
  let outbox: OpenedOutbox
  let mailbox: Mailbox

  beforeEach(async () => {
    opened = await open()
    mailbox = await startMailbox()
    outbox = await openOutbox(opened, { mailer: mailbox.mailer })
  })
  afterEach(async () => {
    await mailbox.close()
    await opened.close()
  })

  const marta = (names: readonly string[]) => ({
    organizationId: 1,
    keys: names,
    emails: names.flatMap((name) => (name.startsWith('email:') ? [name.slice(6)] : [])),
    receivedUntil: opened.clock.now(),
  })
  const erase = async (...names: string[]): Promise<readonly number[]> => {
    const data = createPersonalMessages(opened)
    const person = marta(names)
    const before = await data.count(person, 1)
    await data.erase(person, new AbortController().signal)
    return [before, await data.count(person, 1)]
  }
  const put = (said: Message) => outbox.put({ address: 'ops@acme.example', name: 'Ops' }, said)

  it('are changed a few at a time, so that nobody who writes meanwhile waits for all of them', async () => {
    const many = 2 * LIMITS.MENTIONS_CHANGED_AT_ONCE + 1
    for (let nth = 0; nth < many; nth += 1) await put(happenedTo(MARTA, { thread: String(nth) }))
    const changed: number[] = []
    const { transaction } = opened.ledger
    const counting = {
      ...opened.ledger,
      transaction: async <Result>(work: (own: LedgerTransaction) => Promise<Result>): Promise<Result> => {
        const before = await createPersonalMessages(opened).count(marta([`id:${MARTA.id}`]), 600)
        const done = await transaction(work)
        changed.push(before - (await createPersonalMessages(opened).count(marta([`id:${MARTA.id}`]), 600)))
        return done
      },
    }
    await createPersonalMessages({ ledger: counting }).erase(marta([`id:${MARTA.id}`]), new AbortController().signal)
    expect(changed).toEqual([LIMITS.MENTIONS_CHANGED_AT_ONCE, LIMITS.MENTIONS_CHANGED_AT_ONCE, 1])
  })

  it('are sent without them, whichever of their names was meant', async () => {
    await put(happenedTo(MARTA, { thread: 'a' }))
    await put(happenedTo({ id: '7', email: null }, { thread: 'b' }))
    await put(happenedTo(JONAS, { thread: 'c' }))
    expect(await erase('email:marta@x.example')).toEqual([1, 0])
    expect(await erase('id:7')).toEqual([1, 0])
    const rows = await outbox.rows()
    expect(rows.map((row) => /marta|"7"|id:7"/i.test(row.message))).toEqual([false, false, false])
    const [first] = rows.map((row) => JSON.parse(row.message) as Message)
    expect(first?.about).toEqual({ rule: { id: 1, name: 'New issues' } })
    expect(first?.blocks[1]).toEqual({ kind: 'facts', rows: [{ name: 'Project', value: 'shop' }] })
    await outbox.send()
    const sent = mailbox.mails.map((mail) => JSON.stringify(mail))
    expect(sent).toHaveLength(3)
    expect(sent.filter((mail) => /marta/i.test(mail))).toEqual([])
    expect(sent.filter((mail) => mail.includes('jonas@x'))).toHaveLength(1)
  })

  it('say nothing of what they wrote', async () => {
    const report = { id: 3, message: 'The button is dead' }
    await put(
      happenedTo(MARTA, {
        headline: 'Marta: “The button is dead”',
        blocks: [
          { kind: 'quote', text: report.message, by: 'Marta' },
          { kind: 'facts', rows: [{ name: 'Person', value: MARTA.email }] },
        ],
        about: { report },
      }),
    )
    expect(await erase('email:marta@x.example')).toEqual([1, 0])
    expect(JSON.parse((await outbox.rows())[0]?.message ?? '')).toMatchObject({
      headline: 'Feedback that was deleted',
      blocks: [{ kind: 'facts', rows: [] }],
      about: {},
    })
  })

  it('are many, and those of others that only look like it stay', async () => {
    const many = LIMITS.MENTIONS_PER_STEP + 3
    for (let count = 0; count < many; count += 1) await put(happenedTo(MARTA, { thread: `t${count}` }))
    const quoted = message({ blocks: [{ kind: 'text', text: '"name":"Person","value":"marta@x.example"' }] })
    await put(quoted)
    const mentions = createPersonalMentions({ ledger: opened.ledger, what: 'messages', tables: ['outbox'] })
    expect(await mentions.count({ ...marta(['id:7']), organizationId: 2 }, 1)).toBe(0)
    expect(await erase('id:7', 'email:marta@x.example')).toEqual([many, 0])
    expect(JSON.parse((await outbox.rows()).at(-1)?.message ?? '')).toMatchObject({ blocks: quoted.blocks })
  })
})
