import type { ArchivedReplay, Replay, ReplayClick } from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import type { NamedVersion } from './segment.ts'
import type { ReplayEventRecord } from '../issues/index.ts'
import { activity, duration, reportedIn } from './replay-rules.ts'
import type { FactName } from './facts.ts'
import type { ClickRecord, ReplayRecord, ReplayReference } from './replay.ts'

const orNull = (text: string): string | null => (text === '' ? null : text)

const namedVersion = ({ name, version }: NamedVersion): Replay['sdk'] => ({
  name: orNull(name),
  version: orNull(version),
})

const tagsJson = (tags: ReplayRecord['tags']): Record<string, string[]> => {
  const values = new Map<string, string[]>()
  for (const [name, value] of tags.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    values.set(name, [...(values.get(name) ?? []), value])
  return Object.fromEntries(values)
}

const clickJson = ({ element, text }: ClickRecord): ReplayClick => ({
  'click.alt': orNull(element.alt),
  'click.classes': element.classes.length === 0 ? null : [...element.classes],
  'click.component_name': orNull(element.component),
  'click.id': orNull(element.id),
  'click.label': orNull(element.ariaLabel),
  'click.role': orNull(element.role),
  'click.tag': orNull(element.tag),
  'click.testid': orNull(element.testid),
  'click.text': orNull(text),
  'click.title': orNull(element.title),
})

/** @param reported what names this replay */
export const replayJson = (
  record: ReplayRecord,
  {
    reported,
    hasViewed,
    isStarred,
    clicks,
  }: {
    readonly reported: readonly ReplayEventRecord[]
    readonly hasViewed: boolean
    readonly isStarred: boolean
    /** Null where they are not asked for. */
    readonly clicks: readonly ClickRecord[] | null
  },
): Replay => {
  const { errors: errorIds, infos, warnings } = reportedIn(record.errorIds, reported)
  const { facts, user } = record
  const fact = (name: FactName): string | null => orNull(facts[name] ?? '')
  return {
    id: record.replayId,
    project_id: String(record.projectId),
    is_archived: false,
    replay_type: record.type === 'buffer' ? 'buffer' : 'session',
    started_at: toDate(record.startedAt),
    finished_at: toDate(record.finishedAt),
    duration: duration.of(record.startedAt, record.finishedAt),
    activity: activity.of(errorIds.length, record.urls.length),
    environment: orNull(record.environment),
    platform: orNull(record.platform),
    dist: orNull(record.dist),
    releases: [...record.releases],
    urls: [...record.urls],
    error_ids: errorIds,
    warning_ids: warnings,
    info_ids: infos,
    trace_ids: [...record.traceIds],
    count_segments: record.segments,
    count_urls: record.urls.length,
    count_errors: errorIds.length,
    count_warnings: warnings.length,
    count_infos: infos.length,
    count_dead_clicks: record.deadClicks,
    count_rage_clicks: record.rageClicks,
    sdk: namedVersion(record.sdk),
    os: namedVersion(record.os),
    browser: namedVersion(record.browser),
    device: {
      name: orNull(record.device.name),
      brand: orNull(record.device.brand),
      model: orNull(record.device.model),
      family: orNull(record.device.family),
    },
    user: {
      id: orNull(user.id),
      username: orNull(user.name),
      email: orNull(user.email),
      ip: orNull(user.ip),
      display_name: orNull(user.name || user.email || user.id || user.ip),
      geo: {
        city: fact('user.geo.city'),
        country_code: fact('user.geo.country_code'),
        region: fact('user.geo.region'),
        subdivision: fact('user.geo.subdivision'),
      },
    },
    ota_updates: {
      channel: fact('ota_updates.channel'),
      runtime_version: fact('ota_updates.runtime_version'),
      update_id: fact('ota_updates.update_id'),
    },
    ...(clicks === null ? {} : { clicks: clicks.map(clickJson) }),
    is_starred: isStarred,
    has_viewed: hasViewed,
    tags: tagsJson(record.tags),
  }
}

const NAMELESS: Replay['sdk'] = { name: null, version: null }

/** What is left of a replay that was deleted, as Sentry tells of it. */
export const archivedJson = ({ projectId, replayId }: ReplayReference): ArchivedReplay => ({
  id: replayId,
  project_id: String(projectId),
  is_archived: true,
  trace_ids: [],
  error_ids: [],
  tags: [],
  user: { id: 'Archived Replay', display_name: 'Archived Replay' },
  sdk: NAMELESS,
  os: NAMELESS,
  browser: NAMELESS,
  device: { name: null, brand: null, model: null, family: null },
  replay_type: null,
  started_at: null,
  finished_at: null,
  duration: null,
  activity: null,
  environment: null,
  platform: null,
  dist: null,
  releases: null,
  urls: null,
  warning_ids: null,
  info_ids: null,
  count_segments: null,
  count_urls: null,
  count_errors: null,
  count_warnings: null,
  count_infos: null,
  count_dead_clicks: null,
  count_rage_clicks: null,
  clicks: null,
  ota_updates: null,
  is_starred: null,
  has_viewed: null,
})
