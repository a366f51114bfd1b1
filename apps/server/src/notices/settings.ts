import type { NoticeKind } from './notice.ts'

/** How somebody wants to hear of something. `digest`: gathered, see `ledger/notify.ts`. */
export const PACES = ['now', 'digest', 'never'] as const
export type Pace = (typeof PACES)[number]

/** Where somebody can hear of it. */
export const WAYS = ['inbox', 'mail'] as const
export type Way = (typeof WAYS)[number]

export type Paces = Readonly<Record<Way, Pace>>
export type ChangedPaces = Readonly<Partial<Record<NoticeKind, Partial<Paces>>>>

/** Hours, in the person's zone, in which mail waits for their end. */
export interface QuietHours {
  /** Minutes since midnight; an end before the begin is that of the next day. */
  readonly from: number
  readonly to: number
  /** Saturday and Sunday are quiet all day. */
  readonly weekends: boolean
  /** What is high comes all the same. */
  readonly highMayPass: boolean
}

/** What a person changed of how they are told; the rest is as for everybody. */
export interface NoticeSettings {
  readonly kinds: ChangedPaces
  /** By the project's id; before those of the kinds. */
  readonly projects: Readonly<Record<string, ChangedPaces>>
  /** IANA name; '' for that of the account, and UTC where that has none. */
  readonly timezone: string
  /** A mail of gathered things comes this long after the last one, at the earliest. */
  readonly digestMinutes: number
  /** Null for none. */
  readonly quiet: QuietHours | null
}

export const UNCHANGED: NoticeSettings = { kinds: {}, projects: {}, timezone: '', digestMinutes: 15, quiet: null }

export const DEFAULT_PACES: Readonly<Record<NoticeKind, Paces>> = {
  assigned: { inbox: 'now', mail: 'now' },
  mentioned: { inbox: 'now', mail: 'now' },
  reply: { inbox: 'now', mail: 'now' },
  owner: { inbox: 'now', mail: 'digest' },
  // A rule that names somebody says when it speaks, and how often: nothing is left to be gathered.
  alert: { inbox: 'now', mail: 'now' },
  regression: { inbox: 'now', mail: 'digest' },
  escalation: { inbox: 'now', mail: 'digest' },
  subscribed: { inbox: 'now', mail: 'digest' },
  feedback: { inbox: 'digest', mail: 'never' },
  new: { inbox: 'never', mail: 'never' },
  'check-in': { inbox: 'now', mail: 'digest' },
  weekly: { inbox: 'now', mail: 'now' },
  system: { inbox: 'now', mail: 'now' },
}

/** @param projectId null for what is of no project */
export const paceOf = (
  { kinds, projects }: Pick<NoticeSettings, 'kinds' | 'projects'>,
  kind: NoticeKind,
  way: Way,
  projectId: number | null,
): Pace => {
  const own = projectId === null ? undefined : projects[String(projectId)]?.[kind]?.[way]
  return own ?? kinds[kind]?.[way] ?? DEFAULT_PACES[kind][way]
}

/** @param json as `ledger/settings.ts` writes it; null for somebody who changed nothing */
export const readSettings = (json: string | null): NoticeSettings =>
  json === null ? UNCHANGED : { ...UNCHANGED, ...(JSON.parse(json) as Partial<NoticeSettings>) }

/** The same, with one pace changed. */
export const withPace = (settings: NoticeSettings, kind: NoticeKind, way: Way, pace: Pace): NoticeSettings => {
  const change = (paces: ChangedPaces): ChangedPaces => ({ ...paces, [kind]: { ...paces[kind], [way]: pace } })
  return {
    ...settings,
    kinds: change(settings.kinds),
    // Whoever wants no more of a kind wants none of it from anywhere.
    projects: Object.fromEntries(
      Object.entries(settings.projects).map(([project, paces]) => [
        project,
        paces[kind]?.[way] === undefined ? paces : change(paces),
      ]),
    ),
  }
}
