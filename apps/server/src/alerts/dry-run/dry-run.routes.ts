import { dryRunAlert, type AlertAction, type AlertDraft, type AlertDryRun } from '@firsthand/contract'
import { badRequest, bind, type Route } from '../../http/index.ts'
import { messageAsSent, type ToShow } from '../../channels/index.ts'
import type { SettledClock } from '../../ingest/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import { findRule, type AlertServices } from '../alerts.routes.ts'
import { checkDraft } from '../rule-request.ts'
import type { AlertRule } from '../rule.ts'
import { isZone } from '../working-hours.ts'
import { createHappenedDryRun } from './happened.ts'
import { createMeasuredDryRun, type DryRunParts } from './dry-run.ts'

const PEOPLE: Readonly<Record<Extract<AlertAction, { kind: 'people' }>['target'], string>> = {
  owners: 'Owners',
  team: 'A team',
  member: 'A member',
}

/** Who would have got the messages. */
const receiversOf = async (
  { db }: Ledger,
  organizationId: number,
  { actions }: AlertDraft,
  counts: { readonly first: number; readonly updates: number },
): Promise<AlertDryRun['receivers']> => {
  const ids = actions.flatMap((action) => (action.kind === 'channel' ? [Number(action.channelId)] : []))
  const channels = await db
    .selectFrom('channels')
    .select(['id', 'name', 'kind'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...ids])
    .execute()
  return actions.map((action) => {
    const { first, updates } = counts
    // Those who are told only of what becomes worse are told of no beginning.
    const told = action.from === 'worse' ? { first: 0, updates } : { first, updates }
    if (action.kind === 'people') return { label: PEOPLE[action.target], channel: 'inbox', ...told, note: null }
    const channel = channels.find(({ id }) => id === Number(action.channelId))
    return { label: channel?.name ?? '', channel: channel?.kind ?? '', ...told, note: null }
  })
}

/** Kinds of channels in which its messages would come, each once; mails for people. */
const kindsOf = async (
  { db }: Ledger,
  organizationId: number,
  { actions }: AlertDraft,
): Promise<readonly Pick<ToShow, 'kind' | 'settings'>[]> => {
  const ids = actions.flatMap((action) => (action.kind === 'channel' ? [Number(action.channelId)] : []))
  const channels = await db
    .selectFrom('channels')
    .select(['kind', 'settings'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...ids])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const mail = actions.some(({ kind }) => kind === 'people') ? [{ kind: 'mail' as const, settings: {} }] : []
  const kinds = [
    ...channels.map(({ kind, settings }) => ({ kind, settings: JSON.parse(settings) as ToShow['settings'] })),
    ...mail,
  ]
  return [...new Map(kinds.map((one) => [nameOf(one), one])).values()]
}

/** Webhooks have two forms. */
const nameOf = ({ kind, settings }: Pick<ToShow, 'kind' | 'settings'>): string =>
  kind === 'webhook' && settings['format'] === 'sentry' ? 'sentry' : kind

/** The rule as it would be kept, with the mutes of the one that is changed. */
const ruleOf = (draft: AlertDraft, organizationId: number, changed: AlertRule | null, now: number): AlertRule => ({
  id: changed?.id ?? 0,
  organizationId,
  projectIds: draft.projects === null ? null : draft.projects.map(Number),
  draft,
  problem: null,
  version: changed?.version ?? 1,
  isDefault: false,
  mutedUntil: changed?.mutedUntil ?? null,
  mutedBy: null,
  createdBy: null,
  createdAt: now,
  updatedAt: now,
  lastFiredAt: null,
  imported: null,
})

export const createDryRunRoute = (
  services: AlertServices,
  parts: DryRunParts & { readonly settled: SettledClock; readonly clock: Clock; readonly url: string },
): Route => {
  const ofMeasured = createMeasuredDryRun(parts)
  const ofHappened = createHappenedDryRun(services)
  return bind(dryRunAlert, async ({ body, request }) => {
    const { organization } = request
    if (!isZone(body.timezone)) {
      throw badRequest(`There is no time zone "${body.timezone}". Write one like Europe/Berlin.`)
    }
    const draft = await checkDraft(services, organization, body.rule)
    const changed = body.alert === undefined ? null : await findRule(services, request, body.alert)
    const now = parts.clock.now()
    const kinds = await kindsOf(services.ledger, organization.id, draft)
    const dryRun = draft.trigger.source === 'happened' ? ofHappened : ofMeasured
    const { first, updates, ...found } = await dryRun({
      rule: ruleOf(draft, organization.id, changed, now),
      slug: organization.slug,
      days: body.days,
      timezone: body.timezone,
      until: parts.settled.until() ?? now,
      render: (message, at) =>
        kinds.map((kind) => ({
          channel: nameOf(kind),
          ...messageAsSent({ ...kind, message, organization, publicUrl: parts.url, at }),
        })),
    })
    const receivers = await receiversOf(services.ledger, organization.id, draft, { first, updates })
    return { body: { ...found, receivers } }
  })
}
