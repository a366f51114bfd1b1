import { join } from 'node:path'
import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { createAccountStore } from '../../apps/server/src/accounts/ledger/account-store.ts'
import { createAccounts } from '../../apps/server/src/accounts/index.ts'
import { insertProjectWithKey } from '../../apps/server/src/accounts/projects.ts'
import { systemClock } from '../../apps/server/src/lib/clock.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import type { LedgerTransaction } from '../../apps/server/src/storage/index.ts'
import { openLedger } from '../../apps/server/test/stores/open.ts'
import { OWNER, type RunningServer } from '../../tools/harness/server.ts'

/** As many as keep all of them within their limits. */
const ORGANIZATIONS = 20
const CHANNELS = 10
const RULES_AT_ONCE = 100
/** Nobody waits long for the ledger in which they are made. */
const PROJECTS_AT_ONCE = 10

export interface Place {
  readonly organization: string
  readonly organizationId: number
  readonly projectId: number
  readonly publicKey: string
  /** The channel that tells of it. */
  readonly channelId: string
}

const addChannel = async (
  { port }: RunningServer,
  { organization, token }: { readonly organization: string; readonly token: string },
  url: string,
): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/0/organizations/${organization}/channels/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({
      name: url,
      kind: 'webhook',
      settings: { format: 'firsthand' },
      secrets: { url },
    }),
  })
  if (!answer.ok) throw new Error(`adding a channel: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

const rowOf = ({ organizationId }: Place, input: AlertDraftInput, now: number) => {
  const { isEnabled: _, name, projects: __, ...draft } = alertDraft.parse(input)
  return {
    organization_id: organizationId,
    name,
    source: draft.trigger.source,
    draft: JSON.stringify(draft),
    all_projects: 0 as const,
    is_enabled: 1 as const,
    version: 1,
    is_default: 0 as const,
    muted_until: null,
    is_muted: 0 as const,
    muted_by: null,
    created_by: null,
    created_at: now,
    updated_at: now,
    last_fired_at: null,
    deleted_at: null,
    imported: null,
  }
}

/** In one statement: the server writes to the same ledger. @param drafts each with a name of its own */
const insertRules = async (
  transaction: LedgerTransaction,
  drafts: readonly (readonly [Place, AlertDraftInput])[],
): Promise<void> => {
  const now = Date.now()
  const rows = await transaction
    .insertInto('alert_rules')
    .values(drafts.map(([place, input]) => rowOf(place, input, now)))
    .returning(['id', 'name'])
    .execute()
  const places = new Map(drafts.map(([place, { name }]) => [name, place]))
  await transaction
    .insertInto('alert_rule_projects')
    .values(rows.map(({ id, name }) => ({ rule_id: id, project_id: places.get(name)?.projectId ?? 0 })))
    .execute()
}

/** Organisations with projects, channels and rules, made beside a running server, in its ledger. */
export const openOrganizations = async (server: RunningServer) => {
  const logger = createLogger('warn', (line) => process.stderr.write(line), systemClock.now)
  const path = join(server.dataDir, 'ledger.sqlite')
  const ledger = await openLedger({ path }, { logger, clock: systemClock })
  const store = createAccountStore(ledger)
  const accounts = createAccounts({ store, clock: systemClock, setupToken: '' })

  const addOrganization = async (index: number, projects: number, receiver: string): Promise<readonly Place[]> => {
    const made = await accounts.setup.ensure({
      ...OWNER,
      organizationSlug: `many-${index}`,
      projectSlug: 'first',
      publicUrl: null,
    })
    if (!made.ok) throw new Error(made.error.detail)
    const { organization } = made.value
    const { id: organizationId } = (await store.organizationBySlug(organization)) ?? { id: 0 }
    const channels: string[] = []
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      channels.push(await addChannel(server, made.value, `${receiver}/${index}/${channel}`))
    }
    const places: Place[] = []
    for (let first = 0; first < projects; first += PROJECTS_AT_ONCE) {
      const last = Math.min(projects, first + PROJECTS_AT_ONCE)
      places.push(
        ...(await store.transaction(async (own) => {
          const some: Place[] = []
          for (let number = first; number < last; number += 1) {
            const slug = `service-${number}`
            const project = { organizationId, slug, name: slug, platform: 'node', now: Date.now() }
            const channelId = channels[number % channels.length] ?? ''
            some.push({ organization, organizationId, channelId, ...(await insertProjectWithKey(own, project)) })
          }
          return some
        })),
      )
    }
    return places
  }

  return {
    /** @param receiver address below which all channels call */
    add: async (projects: number, receiver: string): Promise<readonly Place[]> => {
      const places: Place[] = []
      for (let index = 0; index < ORGANIZATIONS; index += 1) {
        const own = Math.ceil((projects - places.length) / (ORGANIZATIONS - index))
        if (own > 0) places.push(...(await addOrganization(index, own, receiver)))
      }
      return places
    },
    /** All of them in few transactions: by the API it would take longer than what is measured. */
    addRules: async (drafts: readonly (readonly [Place, AlertDraftInput])[]): Promise<void> => {
      for (let first = 0; first < drafts.length; first += RULES_AT_ONCE) {
        const some = drafts.slice(first, first + RULES_AT_ONCE)
        await ledger.transaction((transaction) => insertRules(transaction, some))
      }
    },
    ledger,
    close: () => ledger.close(),
  }
}
