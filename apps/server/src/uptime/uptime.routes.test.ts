import {
  createUptimeCheck,
  getUptimeCheck,
  listUptimeChecks,
  updateUptimeCheck,
  type Endpoint,
  type Scope,
} from '@firsthand/contract'
import { expect, it } from 'vitest'
import { createAccounts } from '../accounts/index.ts'
import { createAccountStore } from '../accounts/ledger/account-store.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { LEDGER_ENGINES, seedOrganization } from '../storage/conformance/engines.ts'
import { createChecks } from './ledger/checks.ts'
import { askedOf } from './ledger/records.ts'
import { createResults } from './ledger/results.ts'
import { createSecrets } from './secrets.ts'
import { createUptimeRoutes } from './uptime.routes.ts'

const WRITER: readonly Scope[] = ['event:read', 'event:write']

it.each(LEDGER_ENGINES)(
  'what is sent to an address is stored sealed and never shown again, on $name',
  async ({ open }) => {
    const opened = await open()
    await seedOrganization(opened.ledger)
    const { clock, ledger } = opened
    const secrets = createSecrets(new Uint8Array(32).fill(7))
    const routes = createUptimeRoutes({
      accounts: createAccounts({ store: createAccountStore(ledger), clock, setupToken: 'none' }),
      checks: createChecks({ ledger }),
      results: createResults({ ledger }),
      outgoing: createOutgoing({ allowedRanges: ['127.0.0.1'] }),
      secrets,
      clock,
      changed: () => {},
    })
    const call = async (
      endpoint: Endpoint,
      scopes: readonly Scope[],
      params: Readonly<Record<string, string>> = {},
      body: unknown = null,
    ): Promise<unknown> => {
      const route = routes.find((one) => one.endpoint === endpoint)
      if (route === undefined) throw new Error(`no route takes ${endpoint.path}`)
      const request = {
        caller: { kind: 'session', user: { id: 1, name: 'Ann', email: 'ann@acme.example' } },
        organization: { id: 1, slug: 'acme', name: 'Acme', scopes: new Set(scopes) },
      } as unknown as Parameters<typeof route.handle>[0]['request']
      const reply = await route.handle({
        params: { org: 'acme', ...params },
        query: endpoint.query?.parse({}),
        body: endpoint.body === undefined ? null : endpoint.body.parse(body),
        request,
      })
      return 'body' in reply ? reply.body : null
    }
    const body = '{"password":"s3cret"}'
    const project = await ledger.db.selectFrom('projects').select('slug').executeTakeFirstOrThrow()
    const made = (await call(
      createUptimeCheck,
      WRITER,
      {},
      { project: project.slug, url: 'http://127.0.0.1/login', method: 'POST', body },
    )) as { id: string }
    const check = { check: made.id }
    for (const seen of [
      made,
      await call(listUptimeChecks, WRITER),
      await call(getUptimeCheck, WRITER, check),
      // A change that says nothing of it leaves it as it is.
      await call(updateUptimeCheck, WRITER, check, { name: 'Log in' }),
    ]) {
      expect(JSON.stringify(seen)).toContain('127.0.0.1/login')
      expect(JSON.stringify(seen)).toContain('"hasBody":true')
      expect(JSON.stringify(seen)).not.toContain('s3cret')
    }
    const { asked } = await ledger.db.selectFrom('uptime_checks').select('asked').executeTakeFirstOrThrow()
    expect(asked).not.toContain('s3cret')
    expect(secrets.open(1, askedOf({ asked })).body).toBe(body)
    expect(await call(updateUptimeCheck, WRITER, check, { body: '' })).toMatchObject({ hasBody: false })
    await opened.close()
  },
)
