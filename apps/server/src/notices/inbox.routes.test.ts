import { updateInbox } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { createAccountStore } from '../accounts/ledger/account-store.ts'
import type { RequestContext } from '../http/index.ts'
import { LEDGER_ENGINES, seedOrganization } from '../storage/conformance/engines.ts'
import { createInboxRoutes } from './inbox.routes.ts'
import { createInbox } from './ledger/inbox.ts'
import { notify } from './index.ts'
import { ANN, noticeOf, seedPeople } from './people.fixture.ts'

it.each(LEDGER_ENGINES)(
  'a change of lines that changes nothing is refused with a sentence, on $name',
  async ({ open }) => {
    const opened = await open()
    const { clock, ledger } = opened
    await seedOrganization(ledger)
    await seedPeople(ledger, clock.now())
    await ledger.transaction((transaction) => notify(transaction, [noticeOf()], clock.now()))
    const accounts = { store: createAccountStore(ledger) }
    const routes = createInboxRoutes({ inbox: createInbox({ ledger }), accounts, clock, changed: () => {} })
    const route = routes.find(({ endpoint }) => endpoint === updateInbox)
    const request = {
      caller: { kind: 'session', user: { id: ANN } },
      organization: { id: 1, slug: 'acme' },
    } as unknown as RequestContext
    const change = (body: unknown) =>
      route?.handle({ params: { org: 'acme' }, query: {}, body: updateInbox.body?.parse(body), request })
    await expect(change({ ids: ['1'] })).rejects.toMatchObject({ status: 400 })
    await expect(change({ ids: ['1'], isRead: true })).resolves.toMatchObject({ body: { before: [{ id: '1' }] } })
    await opened.close()
  },
)
