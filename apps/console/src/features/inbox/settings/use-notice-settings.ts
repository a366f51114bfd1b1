import {
  resumeOwnMail,
  updateNoticeSettings,
  type Answer,
  type getNoticeSettings,
  type NoticeSettings,
} from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { showAtOnce } from '../../../lib/shown-data.ts'
import { toast, useChanges } from '../../../ui/index.ts'
import { noticeSettingsQuery } from '../queries.ts'

export type LoadedSettings = Answer<typeof getNoticeSettings>

export type SettingsChange = (change: Partial<NoticeSettings>, words: string) => void

/** Changes of what reaches one: they hold at once, a toast tells of each and takes it back. */
export function useNoticeSettings({ settings, timezone }: LoadedSettings) {
  const client = useQueryClient()
  const { queryKey } = noticeSettingsQuery
  const { busy, during, undo } = useChanges(() => void client.invalidateQueries({ queryKey }))
  const save = (wanted: NoticeSettings) => {
    showAtOnce(client, queryKey, (old) => (old === undefined ? old : { ...old, settings: wanted }))
    return api.call(updateNoticeSettings, { body: wanted })
  }
  const change = async (more: Partial<NoticeSettings>, words: string): Promise<void> => {
    // What is said about hours holds in the zone in which it was said.
    const wanted = { ...settings, timezone: settings.timezone === '' ? timezone : settings.timezone, ...more }
    if ((await during('Saving', () => save(wanted))) === null) return
    toast({ title: words, action: undo(words, () => save(settings)) })
  }
  return {
    busy,
    change: ((more, words) => void change(more, words)) as SettingsChange,
    resume: async () => {
      if ((await during('The change', () => api.call(resumeOwnMail).then(() => true))) === null) return
      toast({ title: 'Mail goes to you again', tone: 'ok' })
    },
  }
}
