import { randomBytes } from 'node:crypto'
import {
  createTracker,
  deleteTracker,
  getTracker,
  listTrackers,
  renewTrackerSecret,
  restoreTracker,
  testTracker,
  updateTracker,
} from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { explainFailure, type Outgoing } from '../lib/outgoing.ts'
import { callTracker, lookAtPublic } from './ask-tracker.ts'
import { TrackerFailure } from './kinds/failure.ts'
import { kindOf } from './kinds/index.ts'
import type { Trackers } from './ledger/trackers.ts'
import { LIMITS } from './limits.ts'
import { readId } from './read-id.ts'
import { TrackerRests } from './rest.ts'
import { targetOf, type SealedTracker, type TrackerRecord } from './tracker.ts'
import type { FieldProblems } from '../lib/entered-fields.ts'
import { placeOf, readTrackerFields } from './tracker-fields.ts'
import { trackerJson } from './tracker-json.ts'

interface RouteParts {
  readonly trackers: Trackers
  readonly outgoing: Pick<Outgoing, 'judge' | 'send'>
  /** Address of this server, without a final slash. */
  readonly publicUrl: string
  readonly clock: Clock
  /** Told when somebody changed a connection, for open pages. */
  readonly changed: (organizationId: number) => void
  /** What happened to its tickets while it was not reached is asked for. */
  readonly revisit: (trackerId: number) => Promise<void>
}

const HOOK_KEY_BYTES = 18

const refused = (problems: FieldProblems): Error => badRequest(Object.values(problems).join(' '), problems)

const tooMany = (): Error =>
  conflict(`An organisation has at most ${LIMITS.TRACKERS_PER_ORGANIZATION} trackers. Disconnect some first.`)

const changedMeanwhile = (): Error =>
  conflict('Somebody else changed this tracker meanwhile. Look at it again, and change it then.')

/** Elsewhere their numbers are those of other tickets. */
const staysWith = (tickets: number): Error =>
  conflict(
    `Connect the other place anew: ${tickets === 1 ? '1 ticket is' : `${tickets} tickets are`} in this one, and stay with it.`,
  )

/** Says at once what would be said at each call: that the address may not be called. */
const judgeAddress = async (
  { outgoing }: Pick<RouteParts, 'outgoing'>,
  tracker: Pick<TrackerRecord, 'kind' | 'settings' | 'sealed'>,
): Promise<void> => {
  const address = kindOf(tracker.kind).base(targetOf(tracker))
  const judged = await outgoing.judge(address, { timeoutMs: LIMITS.TRACKER_TIMEOUT_MS })
  const field = (tracker.settings['apiUrl'] ?? '') === '' ? 'url' : 'apiUrl'
  if (!judged.ok) throw refused({ [field]: explainFailure(judged.error) })
}

/** Settings as they are called by. @throws HttpError 400 */
const completed = async (
  parts: Pick<RouteParts, 'outgoing'>,
  kind: TrackerRecord['kind'],
  settings: TrackerRecord['settings'],
): Promise<TrackerRecord['settings']> => {
  const target = targetOf({ settings, sealed: { secrets: {}, hook: null } })
  const found = await kindOf(kind).complete?.(target.settings, lookAtPublic(parts))
  if (found === undefined) return settings
  if (!found.ok) throw refused(found.error)
  return { ...found.value }
}

/** Connections of an organisation: all of it see them, those who may change it change them. */
export const createTrackerRoutes = (parts: RouteParts): Route[] => {
  const { trackers, publicUrl } = parts
  const found = async (organizationId: number, reference: string): Promise<TrackerRecord> => {
    const tracker = await trackers.find(organizationId, readId(reference))
    if (tracker === null) throw notFound()
    return tracker
  }
  return [
    bind(listTrackers, async ({ request }) => {
      const all = await trackers.list(request.organization.id)
      return { body: all.map((tracker) => trackerJson(tracker, publicUrl)) }
    }),
    bind(getTracker, async ({ params, request }) => ({
      body: trackerJson(await found(request.organization.id, params.tracker), publicUrl),
    })),
    ...createChangingRoutes(parts, found),
    ...createAskingRoutes(parts, found),
  ]
}

type Found = (organizationId: number, reference: string) => Promise<TrackerRecord>

const createChangingRoutes = (parts: RouteParts, found: Found): Route[] => {
  const { trackers, publicUrl, clock, changed, revisit } = parts
  const shown = async (organizationId: number, id: number) => {
    changed(organizationId)
    return trackerJson(await found(organizationId, String(id)), publicUrl)
  }
  return [
    bind(createTracker, async ({ body, request }) => {
      const { kind, name } = body
      const fields = readTrackerFields(kind, body)
      if (!fields.ok) throw refused(fields.error)
      const { secrets } = fields.value
      const settings = await completed(parts, kind, fields.value.settings)
      const hook = kindOf(kind).makeSecret?.() ?? null
      const sealed: SealedTracker = { secrets, hook }
      await judgeAddress(parts, { kind, settings, sealed })
      const organizationId = request.organization.id
      const added = await trackers.add(
        {
          organizationId,
          kind,
          name,
          settings,
          sealed,
          hookKey: randomBytes(HOOK_KEY_BYTES).toString('hex'),
          createdBy: request.caller.user.id,
        },
        clock.now(),
      )
      if (!added.ok) throw tooMany()
      return { body: { ...(await shown(organizationId, added.value)), webhookSecret: hook }, status: 201 }
    }),

    bind(updateTracker, async ({ params, body, request }) => {
      const organizationId = request.organization.id
      const before = await found(organizationId, params.tracker)
      const { name, settings, secrets, version = before.version } = body
      // Whoever leads it to another server enters the token again: nobody sends ours there.
      const moves = ['url', 'apiUrl'].some(
        (name) => typeof settings?.[name] === 'string' && settings[name] !== (before.settings[name] ?? ''),
      )
      const fields = readTrackerFields(before.kind, {
        settings: { ...before.settings, ...settings },
        secrets: { ...(moves ? {} : before.sealed.secrets), ...secrets },
      })
      if (!fields.ok) throw refused(fields.error)
      const sealed = { ...before.sealed, secrets: fields.value.secrets }
      const after =
        settings === undefined ? before.settings : await completed(parts, before.kind, fields.value.settings)
      if (settings !== undefined) await judgeAddress(parts, { kind: before.kind, settings: after, sealed })
      const isElsewhere = placeOf(before.kind, before.settings) !== placeOf(before.kind, after)
      const changing = await trackers.change(
        { ...before, version },
        {
          ...(name === undefined ? {} : { name }),
          ...(settings === undefined ? {} : { settings: after }),
          ...(settings === undefined && secrets === undefined ? {} : { sealed }),
          isElsewhere,
        },
      )
      if (!changing.ok) {
        throw changing.error.why === 'placed' ? staysWith(changing.error.tickets) : changedMeanwhile()
      }
      if (settings !== undefined || secrets !== undefined) await revisit(before.id)
      return { body: await shown(organizationId, before.id) }
    }),

    bind(deleteTracker, async ({ params, request }) => {
      const { id } = await found(request.organization.id, params.tracker)
      await trackers.remove(request.organization.id, id, clock.now())
      changed(request.organization.id)
      return { body: null }
    }),

    bind(restoreTracker, async ({ params, request }) => {
      const id = readId(params.tracker)
      const restored = await trackers.restore(request.organization.id, id)
      if (!restored.ok) throw restored.error === 'gone' ? notFound() : tooMany()
      await revisit(id)
      return { body: await shown(request.organization.id, id) }
    }),
  ]
}

const createAskingRoutes = ({ trackers, outgoing, publicUrl, clock, changed }: RouteParts, found: Found): Route[] => [
  bind(renewTrackerSecret, async ({ params, request }) => {
    const organizationId = request.organization.id
    const before = await found(organizationId, params.tracker)
    const hook = kindOf(before.kind).makeSecret?.()
    if (hook === undefined) {
      throw badRequest('A tracker of this kind makes the secret of its webhooks itself: enter the new one of theirs.')
    }
    // One that the tracker made is over with it.
    const secrets = { ...before.sealed.secrets, webhookSecret: undefined }
    const renewed = await trackers.change(before, { sealed: { secrets, hook } })
    if (!renewed.ok) throw changedMeanwhile()
    changed(organizationId)
    const after = await found(organizationId, params.tracker)
    return { body: { ...trackerJson(after, publicUrl), webhookSecret: hook } }
  }),

  bind(testTracker, async ({ params, request }) => {
    const tracker = await found(request.organization.id, params.tracker)
    try {
      const sentence = await callTracker(
        { outgoing, now: clock.now, trackers, despiteRest: true },
        tracker,
        (kind, target, ask) => kind.test(target, ask),
      )
      await trackers.noteReach(tracker.id, null)
      return { body: { isReached: true, sentence } }
    } catch (error) {
      if (!(error instanceof TrackerFailure)) throw error
      if (!(error instanceof TrackerRests)) await trackers.noteReach(tracker.id, error.message)
      return { body: { isReached: false, sentence: error.message } }
    }
  }),
]
