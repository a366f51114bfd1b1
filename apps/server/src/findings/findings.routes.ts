import {
  getFindingSettings,
  tryFindingSettings,
  updateFindingSettings,
  type FindingSettings as SettingsJson,
  type WantedFindingSettings,
} from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import { badRequest, bind, notFound, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { RULES } from './detectors/index.ts'
import type { FindingSettingsStore } from './ledger/finding-settings.ts'
import { changedSettings, resolveSettings, type ChangedSettings, type FindingSettings } from './settings.ts'
import type { TracedSpans } from './telemetry/traced-spans.ts'
import { SLOWDOWN } from './slowdown.ts'
import { tryOut } from './trial.ts'

/** How a project has its findings. */
export const createFindingRoutes = ({
  accounts,
  clock,
  settings,
  spans,
}: {
  readonly accounts: Pick<Accounts, 'store'>
  readonly clock: Clock
  readonly settings: FindingSettingsStore
  readonly spans: TracedSpans
}): Route[] => {
  const projectOf = async (organizationId: number, slug: string): Promise<number> => {
    const project = await accounts.store.project(organizationId, slug)
    if (project === null) throw notFound()
    return project.id
  }
  return [
    bind(getFindingSettings, async ({ params, request }) => ({
      body: settingsJson(await settings.load(await projectOf(request.organization.id, params.project))),
    })),
    bind(updateFindingSettings, async ({ body, params, request }) => {
      const projectId = await projectOf(request.organization.id, params.project)
      const wanted = readWanted(body)
      await settings.save(projectId, changedSettings(wanted))
      return { body: settingsJson(wanted) }
    }),
    bind(tryFindingSettings, async ({ body, params, request }) => {
      const projectId = await projectOf(request.organization.id, params.project)
      return { body: await tryOut(spans, projectId, readWanted(body), clock.now()) }
    }),
  ]
}

/** A rule or a threshold that nobody knows, and a number out of its bounds, are refused in words. */
const readWanted = ({ detectors, mutes }: WantedFindingSettings): FindingSettings => {
  const known = new Map(RULES.map((detector) => [detector.id, detector]))
  const changed: Record<string, ChangedSettings['detectors'][string]> = {}
  for (const { id, enabled, seen, thresholds = {} } of detectors) {
    const detector = known.get(id)
    if (detector === undefined) throw refused(`There is no rule "${id}".`)
    if (detector === SLOWDOWN && seen !== undefined && seen !== SLOWDOWN.seen)
      throw refused(`What the rule "${id}" finds is an issue at once.`)
    for (const [name, value] of Object.entries(thresholds)) {
      const threshold = detector.thresholds.find((one) => one.name === name)
      if (threshold === undefined) throw refused(`The rule "${id}" has no threshold "${name}".`)
      if (value < threshold.min || value > threshold.max)
        throw refused(`"${name}" of "${id}" is between ${threshold.min} and ${threshold.max}.`)
    }
    changed[id] = {
      ...(enabled === undefined ? {} : { enabled }),
      ...(seen === undefined ? {} : { seen }),
      thresholds,
    }
  }
  for (const { detector } of mutes) {
    if (detector !== '' && !known.has(detector)) throw refused(`There is no rule "${detector}".`)
  }
  return resolveSettings({ detectors: changed, mutes })
}

const refused = (sentence: string): Error => badRequest(sentence, { detectors: sentence })

const settingsJson = ({ detectors, mutes }: FindingSettings): SettingsJson => ({
  mutes: mutes.map((mute) => ({ ...mute })),
  detectors: RULES.map((detector) => {
    const { id, rule, seen, thresholds, title, type } = detector
    const own = detectors.get(id)
    return {
      id,
      title,
      rule,
      type,
      enabled: own?.enabled ?? true,
      seen: own?.seen ?? seen,
      defaultSeen: seen,
      perTrace: detector !== SLOWDOWN,
      thresholds: thresholds.map((threshold) => ({
        ...threshold,
        value: own?.thresholds[threshold.name] ?? threshold.default,
      })),
    }
  }),
})
