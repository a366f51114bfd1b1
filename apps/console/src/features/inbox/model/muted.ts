import type { NoticeSettings } from '@firsthand/contract'

type Kind = keyof NoticeSettings['kinds']

const SILENT = { inbox: 'never', mail: 'never' } as const

/** Settings in which nothing tells of a kind any more, from no project either: what is said of one comes before the rest. */
export const muted = (settings: NoticeSettings, kind: Kind): NoticeSettings => ({
  ...settings,
  kinds: { ...settings.kinds, [kind]: SILENT },
  projects: Object.fromEntries(
    Object.entries(settings.projects).map(([project, paces]) => [
      project,
      paces[kind] === undefined ? paces : { ...paces, [kind]: SILENT },
    ]),
  ),
})
